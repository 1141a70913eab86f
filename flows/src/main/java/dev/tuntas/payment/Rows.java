package dev.tuntas.payment;

import dev.tuntas.money.Money;
import dev.tuntas.payment.Entry.Operation;
import dev.tuntas.payment.Entry.Status;
import dev.tuntas.saga.Failure;
import dev.tuntas.store.Session;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// The statements that charges and refunds share.
final class Rows {

  private static final String MAKE_PURSE =
      "insert into purse (order_id, currency, price) values (?, ?, ?)"
          + " on conflict (order_id) do nothing";
  private static final String LOCK_PURSE =
      "select " + Purse.COLUMNS + " from purse where order_id = ? for update";
  private static final String ENTRY =
      "select " + Entry.COLUMNS + " from idempotency_store where operation = ? and key = ?";
  private static final String INSERT =
      "insert into idempotency_store ("
          + Entry.COLUMNS
          + ", created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing";
  private static final String ATTEMPT =
      "update idempotency_store set attempts = attempts + 1 where operation = ? and key = ?";
  private static final String DONE =
      """
      update idempotency_store set status = 'done', amount = ?, answered_at = ?
       where operation = ? and key = ? and status = 'sent'
      """;
  private static final String DECLINED =
      """
      update idempotency_store set status = 'declined', code = ?, detail = ?, answered_at = ?
       where operation = ? and key = ? and status = 'sent'
      """;
  private static final String UNSETTLED =
      "select "
          + Entry.COLUMNS
          + " from idempotency_store where order_id = ? and operation = ? and status = 'sent'";
  private static final String JOURNAL =
      """
      insert into journal (at, order_id, operation, key, account, debit, credit, currency)
      values (?, ?, ?, ?, ?, ?, 0, ?), (?, ?, ?, ?, ?, 0, ?, ?)
      """;

  private final InstantSource clock;

  Rows(InstantSource clock) {
    this.clock = clock;
  }

  /// The order's purse, locked until the transaction ends; made if there is none.
  Purse lock(Session session, String orderId, Money price) throws SQLException {
    boolean made = session.update(MAKE_PURSE, orderId, price.currency(), price.amount()) == 1;
    return made ? Purse.fresh(orderId, price) : lockKnown(session, orderId).orElseThrow();
  }

  /// The same, if there is one.
  Optional<Purse> lockKnown(Session session, String orderId) throws SQLException {
    return session.first(LOCK_PURSE, Purse::read, orderId);
  }

  Optional<Entry> find(Session session, Operation operation, String key) throws SQLException {
    return session.first(ENTRY, Entry::read, operation.text(), key);
  }

  Entry get(Session session, Entry entry) throws SQLException {
    return find(session, entry.operation(), entry.key()).orElseThrow();
  }

  /// Notes what will be asked of the bank. Whether it could: the key may be known, or the order may
  /// have another charge.
  boolean insert(Session session, Entry entry) throws SQLException {
    int inserted =
        session.update(
            INSERT,
            entry.operation().text(),
            entry.key(),
            entry.fingerprint(),
            entry.orderId(),
            entry.transactionId(),
            entry.method(),
            entry.whole(),
            entry.amount().amount(),
            entry.amount().currency(),
            Status.SENT.text(),
            null,
            null,
            clock.instant());
    return inserted == 1;
  }

  void countAttempt(Session session, Entry entry) throws SQLException {
    session.update(ATTEMPT, entry.operation().text(), entry.key());
  }

  /// Records a success, unless an answer was recorded before.
  boolean done(Session session, Entry entry, Money amount) throws SQLException {
    var now = clock.instant();
    var operation = entry.operation().text();
    return session.update(DONE, amount.amount(), now, operation, entry.key()) == 1;
  }

  /// Records a refusal, unless an answer was recorded before.
  boolean declined(Session session, Entry entry, Failure why) throws SQLException {
    var now = clock.instant();
    var operation = entry.operation().text();
    return session.update(DECLINED, why.code(), why.detail(), now, operation, entry.key()) == 1;
  }

  List<Entry> unsettled(Session session, String orderId, Operation operation) throws SQLException {
    return session.list(UNSETTLED, Entry::read, orderId, operation.text());
  }

  /// A charge moves money from the customer to our account at the bank, a refund back.
  void journal(Session session, Entry entry, Money amount) throws SQLException {
    if (amount.amount() == 0) return;
    boolean charge = entry.operation() == Operation.CHARGE;
    var now = clock.instant();
    var order = entry.orderId();
    var operation = entry.operation().text();
    session.update(
        JOURNAL,
        now,
        order,
        operation,
        entry.key(),
        charge ? "bank" : "customer",
        amount.amount(),
        amount.currency(),
        now,
        order,
        operation,
        entry.key(),
        charge ? "customer" : "bank",
        amount.amount(),
        amount.currency());
  }
}
