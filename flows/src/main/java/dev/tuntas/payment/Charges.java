package dev.tuntas.payment;

import dev.tuntas.money.Money;
import dev.tuntas.payment.Entry.Operation;
import dev.tuntas.payment.Entry.Status;
import dev.tuntas.payment.Payments.Receipt;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.store.Session;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is written before and after the bank is asked for a charge.
final class Charges {

  private static final Logger log = LoggerFactory.getLogger(Charges.class);

  /// What a charge is told whose order was refunded first.
  static final Failure.Declined REFUNDED =
      new Failure.Declined("refunded", "The order was refunded before it was charged.");

  private static final String PRICE =
      "update purse set price = ?, currency = ? where order_id = ? and captured = 0";
  private static final String CAPTURE = "update purse set captured = price where order_id = ?";

  private final Rows rows;

  Charges(Rows rows) {
    this.rows = rows;
  }

  Claim claim(Session session, Entry wanted) throws SQLException {
    var purse = rows.lock(session, wanted.orderId(), wanted.amount());
    if (purse.closed()) return whenClosed(session, purse, wanted);
    if (!rows.insert(session, wanted)) return conflict(session, purse, wanted);
    setPrice(session, purse, wanted.amount());
    return new Claim.Ask(wanted);
  }

  private Claim whenClosed(Session session, Purse purse, Entry wanted) throws SQLException {
    var known = rows.find(session, Operation.CHARGE, wanted.key());
    if (known.isPresent()) return resume(session, purse, wanted, known.get());
    return Claim.declined(REFUNDED.code(), REFUNDED.detail());
  }

  /// After a refund was claimed no capture begins any more: the refund's answer tells what became
  /// of the charge.
  private Claim resume(Session session, Purse purse, Entry wanted, Entry known)
      throws SQLException {
    if (!known.fingerprint().equals(wanted.fingerprint())) return Claim.keyReused(known);
    if (!known.isSent() || purse.closed()) return Claim.done(known);
    rows.countAttempt(session, known);
    return new Claim.Ask(known);
  }

  /// The key is known, or the order has a charge under another one.
  private Claim conflict(Session session, Purse purse, Entry wanted) throws SQLException {
    var known = rows.find(session, Operation.CHARGE, wanted.key());
    if (known.isPresent()) return resume(session, purse, wanted, known.get());
    return Claim.declined(
        "order_already_charged",
        "The order "
            + wanted.orderId()
            + " has been charged, or may have been, under another key.");
  }

  /// An earlier charge, since declined, may have been of another amount.
  private static void setPrice(Session session, Purse purse, Money amount) throws SQLException {
    if (purse.price() == amount.amount() && purse.currency().equals(amount.currency())) return;
    session.update(PRICE, amount.amount(), amount.currency(), purse.orderId());
  }

  /// Records the bank's answer. Another call with the same key, or the order's refund, may have
  /// recorded it before: then that is what counts.
  Outcome<Receipt> settle(Session session, Entry entry, Outcome<Receipt> answer)
      throws SQLException {
    rows.lockKnown(session, entry.orderId());
    boolean first =
        switch (answer) {
          case Outcome.Succeeded<Receipt> _ -> capture(session, entry);
          case Outcome.Failed<Receipt>(var failure) -> rows.declined(session, entry, failure);
          case Outcome.Unclear<Receipt> _ -> throw new IllegalArgumentException("not an answer");
        };
    if (first && answer instanceof Outcome.Succeeded) return Outcome.done(entry.receipt());
    var known = rows.get(session, entry);
    if (answer instanceof Outcome.Succeeded && known.status() == Status.DECLINED) {
      log.atError()
          .addKeyValue("order_id", entry.orderId())
          .log("the bank charged order {} though it was closed there", entry.orderId());
      return Outcome.unclear("the bank says that it charged, after it had said that it never will");
    }
    return known.answer();
  }

  /// Records that the money was taken, unless an answer was recorded before.
  boolean capture(Session session, Entry entry) throws SQLException {
    if (!rows.done(session, entry, entry.amount())) return false;
    session.update(CAPTURE, entry.orderId());
    rows.journal(session, entry, entry.amount());
    return true;
  }
}
