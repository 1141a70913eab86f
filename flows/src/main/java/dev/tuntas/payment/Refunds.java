package dev.tuntas.payment;

import dev.tuntas.money.Money;
import dev.tuntas.payment.Entry.Operation;
import dev.tuntas.payment.Payments.Receipt;
import dev.tuntas.saga.Outcome;
import dev.tuntas.store.Session;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is written before and after the bank is asked for a refund. All refunds of an order share
/// one budget: what a partial one may give back is set aside before the bank is asked, and a whole
/// one lets no other begin.
final class Refunds {

  private static final String CLOSE = "update purse set closed = true where order_id = ?";
  private static final String SET_ASIDE =
      "update purse set pending = pending + ? where order_id = ?";
  private static final String GIVE_BACK =
      "update purse set pending = pending - ?, refunded = refunded + ? where order_id = ?";

  private final Rows rows;
  private final Charges charges;

  Refunds(Rows rows, Charges charges) {
    this.rows = rows;
    this.charges = charges;
  }

  Claim claim(Session session, Entry wanted) throws SQLException {
    return wanted.whole() ? claimWhole(session, wanted) : claimPart(session, wanted);
  }

  /// Closes the order first, so that a charge that comes later is refused. Refunds in doubt are
  /// settled before this one asks how much is left.
  private Claim claimWhole(Session session, Entry wanted) throws SQLException {
    var purse = rows.lock(session, wanted.orderId(), wanted.amount());
    var known = rows.find(session, Operation.REFUND, wanted.key());
    if (known.isPresent()) return resume(session, wanted, known.get());
    if (isOtherCurrency(purse, wanted)) return otherCurrency(purse);
    session.update(CLOSE, wanted.orderId());
    var doubts = rows.unsettled(session, wanted.orderId(), Operation.REFUND);
    if (!doubts.isEmpty()) return new Claim.Settle(doubts);
    if (!rows.insert(session, wanted)) return Claim.keyReused(wanted);
    if (purse.left().amount() > 0 || chargeInDoubt(session, wanted)) return new Claim.Ask(wanted);
    rows.done(session, wanted, purse.left()); // nothing was taken, and nothing ever will be
    return Claim.done(rows.get(session, wanted));
  }

  private boolean chargeInDoubt(Session session, Entry wanted) throws SQLException {
    return !rows.unsettled(session, wanted.orderId(), Operation.CHARGE).isEmpty();
  }

  private Claim claimPart(Session session, Entry wanted) throws SQLException {
    var purse = rows.lockKnown(session, wanted.orderId());
    var known = rows.find(session, Operation.REFUND, wanted.key());
    if (known.isPresent()) return resume(session, wanted, known.get());
    if (purse.isEmpty() || purse.get().captured() == 0) {
      return Claim.declined(
          "nothing_to_refund", "Nothing was charged for the order " + wanted.orderId() + ".");
    }
    var refusal = refusal(purse.get(), wanted);
    return refusal == null ? setAside(session, wanted) : refusal;
  }

  private Claim resume(Session session, Entry wanted, Entry known) throws SQLException {
    if (!known.fingerprint().equals(wanted.fingerprint())) return Claim.keyReused(known);
    if (!known.isSent()) return Claim.done(known);
    rows.countAttempt(session, known);
    return new Claim.Ask(known);
  }

  private static @Nullable Claim refusal(Purse purse, Entry wanted) {
    if (isOtherCurrency(purse, wanted)) return otherCurrency(purse);
    var left = purse.closed() ? Money.zero(purse.currency()) : purse.left();
    if (wanted.amount().amount() <= left.amount()) return null;
    return Claim.declined(
        "refund_exceeds_captured",
        "At most " + left.text() + " of this order can still be refunded.");
  }

  private static boolean isOtherCurrency(Purse purse, Entry wanted) {
    return !purse.currency().equals(wanted.amount().currency());
  }

  private static Claim otherCurrency(Purse purse) {
    return Claim.declined(
        "currency_mismatch",
        "The order is paid in " + purse.currency() + ", not in another currency.");
  }

  private Claim setAside(Session session, Entry entry) throws SQLException {
    if (!rows.insert(session, entry)) return Claim.keyReused(entry);
    session.update(SET_ASIDE, entry.amount().amount(), entry.orderId());
    return new Claim.Ask(entry);
  }

  /// Records the bank's answer. What does not fit our books is not recorded: it stays in doubt
  /// until a person has looked.
  Outcome<Receipt> settle(Session session, Entry asked, Outcome<Receipt> answer)
      throws SQLException {
    var purse = rows.lock(session, asked.orderId(), asked.amount());
    var entry = rows.get(session, asked);
    if (!entry.isSent()) return entry.answer();
    return switch (answer) {
      case Outcome.Succeeded<Receipt>(var receipt) -> succeeded(session, purse, entry, receipt);
      case Outcome.Failed<Receipt>(var failure) -> {
        // A whole refund stays claimed, and is asked for again by whoever needs it.
        if (entry.whole()) yield answer;
        rows.declined(session, entry, failure);
        session.update(GIVE_BACK, entry.amount().amount(), 0, entry.orderId());
        yield rows.get(session, entry).answer();
      }
      case Outcome.Unclear<Receipt> _ -> throw new IllegalArgumentException("not an answer");
    };
  }

  private Outcome<Receipt> succeeded(Session session, Purse purse, Entry entry, Receipt receipt)
      throws SQLException {
    var given = receipt.amount();
    var expected =
        entry.whole() ? settleCharge(session, purse, entry, given) : List.of(entry.amount());
    if (!expected.contains(given)) {
      return Outcome.unclear(
          "the bank gave back " + given.text() + ", which does not fit what was charged");
    }
    rows.done(session, entry, given);
    long setAside = entry.whole() ? 0 : entry.amount().amount();
    session.update(GIVE_BACK, setAside, given.amount(), entry.orderId());
    rows.journal(session, entry, given);
    return Outcome.done(entry.withAmount(given).receipt());
  }

  /// What a whole refund may have given back. A charge that was in doubt is so no longer: the bank
  /// gave its money back, or will never take it.
  private List<Money> settleCharge(Session session, Purse purse, Entry entry, Money given)
      throws SQLException {
    var nothing = Money.zero(purse.currency());
    var doubts = rows.unsettled(session, entry.orderId(), Operation.CHARGE);
    if (doubts.isEmpty()) return List.of(purse.left());
    var charge = doubts.getFirst();
    if (given.equals(nothing)) rows.declined(session, charge, Charges.REFUNDED);
    else if (given.equals(charge.amount())) charges.capture(session, charge);
    return List.of(nothing, charge.amount());
  }
}
