package dev.tuntas.server.orders;

import dev.tuntas.areas.AdmissionDecision;
import dev.tuntas.areas.AdmissionDecision.Admitted;
import dev.tuntas.areas.AdmissionDecision.Busy;
import dev.tuntas.areas.AdmissionDecision.NotFound;
import dev.tuntas.areas.AdmissionDecision.Refused;
import dev.tuntas.areas.AreaBook;
import dev.tuntas.areas.AreaDesk;
import dev.tuntas.areas.Loyalty;
import dev.tuntas.orders.AdmissionJournal;
import dev.tuntas.server.access.Caller;
import dev.tuntas.server.areas.AreaAnswers;
import dev.tuntas.server.areas.CustomerLoyalty;
import dev.tuntas.server.areas.Language;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;

/// Asks whether a ride may come in, before it is placed; whether it then finds a slot is decided in
/// the transaction that accepts it.
public final class RideAdmission {

  private final AreaBook book;
  private final AreaDesk desk;
  private final AreaAnswers answers;
  private final AdmissionJournal journal;
  private final CustomerLoyalty loyalty;

  public RideAdmission(
      AreaBook book,
      AreaDesk desk,
      AreaAnswers answers,
      AdmissionJournal journal,
      CustomerLoyalty loyalty) {
    this.loyalty = loyalty;
    this.journal = journal;
    this.book = book;
    this.desk = desk;
    this.answers = answers;
  }

  /// The request without a level that its caller cannot vouch for.
  OrderRequest believed(OrderRequest wanted, Caller caller) {
    var ride = wanted.ride();
    if (ride == null || caller.trusted()) return wanted;
    return wanted.with(ride.with(loyalty.of(caller, wanted.customerId(), ride.loyaltyLevel())));
  }

  /// Nothing if it is outside of all areas and that does not matter.
  @Nullable AdmissionDecision ask(RideRequest ride) {
    var decision = answers.ask(ride.question());
    boolean optional = !book.current().flags().serverBusy().enabled();
    return decision instanceof NotFound && optional ? null : decision;
  }

  ResponseEntity<?> refused(RideRequest ride, Refused refused, HttpServletRequest request) {
    if (refused instanceof Busy(var load, _, _)) journal.refused(load);
    return answers.refused(ride.question(), refused, language(request), request);
  }

  /// The answer to a ride that was let in and then found no slot.
  ResponseEntity<?> turnedAway(RideRequest ride, Admitted admitted, HttpServletRequest request) {
    journal.turnedAway(admitted.load());
    var busy = desk.turnedAway(admitted, Loyalty.of(ride.loyaltyLevel()));
    return answers.refused(ride.question(), busy, language(request), request);
  }

  private static Language language(HttpServletRequest request) {
    return Language.preferred(request.getHeader("Accept-Language"));
  }
}
