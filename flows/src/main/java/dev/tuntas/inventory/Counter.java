package dev.tuntas.inventory;

import dev.tuntas.inventory.Bookings.Booking;
import dev.tuntas.inventory.Bookings.Holding;
import dev.tuntas.inventory.Inventory.Movement;
import dev.tuntas.inventory.Inventory.Request;
import dev.tuntas.inventory.Inventory.Reservation;
import dev.tuntas.money.Money;
import dev.tuntas.store.Session;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Serves one order in one transaction. A [Refusal] must end the transaction.
final class Counter {

  /// What an order has after an operation, and what is answered.
  private record Done<T>(Holding after, T answer) {}

  @FunctionalInterface
  private interface Deed<T> {
    Done<T> to(Holding before) throws SQLException;
  }

  private final Session session;
  private final Bookings bookings;
  private final Shelves shelves;
  private final Answers answers;
  private final Instant now;

  Counter(Session session, Instant now) {
    this.session = session;
    this.bookings = new Bookings(session);
    this.shelves = new Shelves(session);
    this.answers = new Answers(session);
    this.now = now;
  }

  /// Without `until` it is kept. `check` refuses what may not be held any more; what was held
  /// before, under the same key, is held all the same.
  Reservation hold(Question question, Request request, @Nullable Instant until, Runnable check)
      throws SQLException {
    return once(
        question,
        Reservation.class,
        before -> {
          check.run();
          shelves.prepare(request.goods());
          // What is kept may have been paid for: nothing makes it expire again.
          var expiresAt = before.isKept() ? null : until;
          return new Done<>(
              new Holding(before.position().holding(question.wanted()), expiresAt),
              new Reservation("rsv_" + question.orderId(), expiresAt, total(request)));
        });
  }

  Movement take(Question question, Request request, String result) throws SQLException {
    return once(
        question,
        Movement.class,
        before -> {
          shelves.prepare(request.goods());
          boolean again = before.position().hasTaken(question.wanted());
          return new Done<>(
              new Holding(before.position().taking(question.wanted()), null),
              new Movement(question.orderId(), again ? "already_" + result : result));
        });
  }

  Movement release(Question question) throws SQLException {
    var booking = bookings.enter(question.orderId(), now);
    answers.find(question, Movement.class); // refuses the key of another order
    if (booking.released()) return new Movement(question.orderId(), "already_released");
    var released = new Movement(question.orderId(), "released");
    bookings.release(booking, now);
    answers.store(question, released, Movement.class, now);
    move(booking, bookings.holding(booking), Holding.NOTHING);
    return released;
  }

  /// Gives back what may expire anyway. What is kept may have been paid for, and what was taken
  /// was: both stay.
  Movement timeOut(Question question) throws SQLException {
    var booking = bookings.enter(question.orderId(), now);
    var holding = bookings.holding(booking);
    boolean stays = holding.isKept() || !holding.position().taken().isEmpty();
    return stays && !booking.released()
        ? new Movement(question.orderId(), "kept")
        : release(question);
  }

  /// Remembers a refusal. False when the same request was served meanwhile.
  boolean refuse(Question question, Refusal refusal) throws SQLException {
    bookings.enter(question.orderId(), now); // from now on somebody knows this order
    return answers.refuse(question, refusal, now);
  }

  /// Whether it had run out: it may have been renewed or taken since somebody looked.
  boolean expire(String orderId) throws SQLException {
    var booking = bookings.enter(orderId, now);
    var before = bookings.holding(booking);
    if (!before.isExpired(now)) return false;
    move(booking, before, new Holding(before.position().withoutHolds(), null));
    return true;
  }

  private <T> T once(Question question, Class<T> type, Deed<T> deed) throws SQLException {
    var booking = bookings.enter(question.orderId(), now);
    // An order that nobody knew was never answered; a key of another is noticed when it is stored.
    Optional<T> known = booking.fresh() ? Optional.empty() : answers.find(question, type);
    if (booking.released()) throw Bookings.released(question.orderId());
    if (known.isPresent()) return known.get();
    var before = bookings.holding(booking);
    var done = deed.to(before);
    answers.store(question, done.answer, type, now);
    move(booking, before, done.after);
    return done.answer;
  }

  /// Shelves come last, because others wait for them.
  private void move(Booking booking, Holding before, Holding after) throws SQLException {
    bookings.write(booking, before, after, now);
    shelves.change(before.position().changesTo(after.position()));
  }

  /// The price that was frozen when the order was accepted, or today's.
  private Money total(Request request) throws SQLException {
    var frozen = request.total();
    return frozen != null
        ? frozen
        : Quote.of(request.goods(), StockList.prices(session, request.goods()));
  }
}
