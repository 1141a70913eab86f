package dev.tuntas.inventory;

import dev.tuntas.bus.CloudEvent;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.MessageBook;
import dev.tuntas.bus.MessageBook.Expiry;
import dev.tuntas.bus.MessageBook.Standing;
import dev.tuntas.bus.MessageBook.Status;
import dev.tuntas.bus.Refused;
import dev.tuntas.engine.StoreException;
import dev.tuntas.inventory.StockMessages.Release;
import dev.tuntas.inventory.StockMessages.Reserve;
import dev.tuntas.saga.Outcome;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.IntFunction;

/// An inventory that is told over the bus what to reserve and to release; the rest, which follows
/// or precedes a payment at once, is called as ever.
///
/// A `RESERVE` that was not published in time never will be, or is undone, and is answered as
/// declined; one that was is unclear until an answer is here, and the same key asks again. A
/// `RELEASE` has no time limit, and counts as done when the inventory has confirmed it.
public final class MessageInventory implements Inventory {

  private static final String SOURCE = "/tuntas/orders";

  /// @param expiresAfter how long a `RESERVE` may take to be published
  /// @param answerWithin how long a call waits for its answer
  /// @param repeatAfter a command that was published and not answered is sent again after so long,
  ///   then after twice that, and so on
  public record Settings(Duration expiresAfter, Duration answerWithin, Duration repeatAfter) {

    /// A minute, two seconds, half a minute.
    public static Settings standard() {
      return new Settings(Duration.ofSeconds(60), Duration.ofSeconds(2), Duration.ofSeconds(30));
    }
  }

  private final Tables tables;
  private final MessageBook book;
  private final StockReplies replies;
  private final Inventory called;
  private final Settings settings;
  private final InstantSource clock;

  public MessageInventory(
      Tables tables,
      MessageBook book,
      StockReplies replies,
      Inventory called,
      Settings settings,
      InstantSource clock) {
    this.tables = tables;
    this.book = book;
    this.replies = replies;
    this.called = called;
    this.settings = settings;
    this.clock = clock;
  }

  @Override
  public Outcome<Reservation> reserve(Request request, String key) {
    boolean asked = false;
    try {
      if (isGivenUp(request, key)) return expired();
      asked = true;
      var answer = replies.await(key, settings.answerWithin);
      if (answer.isEmpty()) return Outcome.pending("The inventory has not answered yet.");
      // A process that stood still and runs the order no more may have given it up meanwhile. Now
      // that the answer is here, nobody does.
      return isGivenUp(request, key) ? expired() : read(answer.get(), request);
    } catch (StoreException e) {
      return asked
          ? Outcome.unclearHere("The answer cannot be read: " + e.getMessage())
          : failed(e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Outcome.unclearHere("The wait for the inventory's answer was interrupted.");
    }
  }

  private static <T> Outcome<T> expired() {
    return Outcome.declined("reserve_expired", "The inventory could not be asked in time.");
  }

  private boolean isGivenUp(Request request, String key) {
    return tables.write("ask to reserve " + key, session -> ask(session, request, key));
  }

  /// Whether the command was not published in time: then it never will be, or is undone, whatever
  /// was answered since. One that was answered before is not given up, whatever is known about its
  /// publication.
  private boolean ask(Session session, Request request, String key) throws SQLException {
    var now = clock.instant();
    var id = StockMessages.RESERVE + "/" + key;
    var standing = book.standing(session, id);
    if (standing.isPresent() && standing.get().isExpired()) return true;
    if (StockReplies.has(session, key)) return false;
    if (standing.isEmpty()) {
      book.put(session, reserve(id, request, key, now), instead(id, request, now), now);
      return false;
    }
    if (book.expire(session, id, now)) return true;
    again(session, standing.get(), n -> reserve(named(id, n), request, key, now), now);
    return false;
  }

  /// A command that the broker refused for good is put into the book again; one that was published
  /// is repeated if it is time.
  private void again(Session session, Standing standing, IntFunction<Message> command, Instant now)
      throws SQLException {
    int n = repetition(standing, now);
    if (standing.status() == Status.FAILED) book.putAgain(session, command.apply(0), now);
    else if (n > 0) book.put(session, command.apply(n), null, now);
  }

  private static String named(String id, int repetition) {
    return repetition == 0 ? id : id + "/" + repetition;
  }

  /// How often it should have been sent again by now: less and less often.
  private int repetition(Standing standing, Instant now) {
    if (standing.status() != Status.PUBLISHED) return 0;
    long spans = Duration.between(standing.createdAt(), now).dividedBy(settings.repeatAfter);
    return Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, spans));
  }

  private Message reserve(String id, Request request, String key, Instant now) {
    return CloudEvent.of(
            id, SOURCE, StockMessages.RESERVE, request.orderId(), now, Reserve.of(request, key))
        .message(true, null);
  }

  private Expiry instead(String id, Request request, Instant now) {
    var order = request.orderId();
    var release = releasing(MessageBook.insteadOf(id), order, "release-" + order, now);
    return new Expiry(now.plus(settings.expiresAfter), StockMessages.RELEASE, release.write());
  }

  private static CloudEvent releasing(String id, String orderId, String key, Instant now) {
    return CloudEvent.of(
        id, SOURCE, StockMessages.RELEASE, orderId, now, new Release(orderId, key));
  }

  /// Goods that are held at another price than the order's are not what was asked for.
  private static Outcome<Reservation> read(CloudEvent answer, Request request) {
    try {
      if (answer.type().equals(StockMessages.RESERVE_FAILED)) return declined(answer);
      var held = answer.data(StockMessages.Reserved.class);
      boolean fits =
          held.orderId().equals(request.orderId())
              && (request.total() == null || Objects.equals(request.total(), held.total()));
      return fits
          ? Outcome.done(new Reservation(held.reservationId(), held.expiresAt(), held.total()))
          : Outcome.unclear("The inventory answered about something else.");
    } catch (Refused e) {
      return Outcome.unclear("The inventory's answer cannot be read: " + e.reason());
    }
  }

  private static <T> Outcome<T> declined(CloudEvent answer) throws Refused {
    var no = answer.data(StockMessages.Declined.class);
    return Outcome.declined(no.code(), no.detail());
  }

  @Override
  public Outcome<Movement> release(String orderId, String key) {
    try {
      tables.write("ask to release " + key, session -> askToRelease(session, orderId, key));
      return replies
          .await(key, settings.answerWithin)
          .map(MessageInventory::released)
          .orElseGet(() -> Outcome.pending("The inventory has not confirmed the release yet."));
    } catch (StoreException e) {
      return failed(e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Outcome.unclear("The wait for the inventory's answer was interrupted.");
    }
  }

  private boolean askToRelease(Session session, String orderId, String key) throws SQLException {
    if (StockReplies.has(session, key)) return false;
    var now = clock.instant();
    var id = StockMessages.RELEASE + "/" + key;
    IntFunction<Message> command =
        n -> releasing(named(id, n), orderId, key, now).message(true, null);
    var standing = book.standing(session, id);
    if (standing.isEmpty()) return book.put(session, command.apply(0), null, now);
    again(session, standing.get(), command, now);
    return true;
  }

  private static Outcome<Movement> released(CloudEvent answer) {
    try {
      if (answer.type().equals(StockMessages.RELEASE_FAILED)) return declined(answer);
      var released = answer.data(StockMessages.Released.class);
      return Outcome.done(new Movement(released.orderId(), released.result()));
    } catch (Refused e) {
      return Outcome.unclear("The inventory's answer cannot be read: " + e.reason());
    }
  }

  private static <T> Outcome<T> failed(StoreException e) {
    return switch (e.kind()) {
      case UNKNOWN -> Outcome.unclearHere("The message may be in the book: " + e.getMessage());
      case NOT_DONE, BLOCKED ->
          Outcome.unavailableHere("book_unavailable", "The book of messages did not answer.");
      case BAD_DATA, UNUSABLE -> throw e;
    };
  }

  @Override
  public Outcome<Reservation> keep(Request request, String key) {
    return called.keep(request, key);
  }

  @Override
  public Outcome<Movement> confirm(Request request, String key) {
    return called.confirm(request, key);
  }

  @Override
  public Outcome<Movement> commit(Request request, String key) {
    return called.commit(request, key);
  }
}
