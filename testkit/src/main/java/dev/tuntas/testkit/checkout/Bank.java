package dev.tuntas.testkit.checkout;

import dev.tuntas.saga.Call;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Signal;
import dev.tuntas.testkit.simulation.World.Outside;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A bank with a ledger of its own. It charges once per key, unless it is `forgetful`: then every
/// request is a charge. A refund that comes before its charge leaves a tombstone. A bank that
/// `callsBack` answers "accepted" and tells the result later; about some orders it never answers
/// anything else.
final class Bank {

  private static final int DECLINES_EVERY = 11;
  private static final int SILENT_EVERY = 13;
  private static final int GARBLED_EVERY = 17;

  /// What happened to one order's money.
  private static final class Account {
    int charges;
    int refunds;
    long price;
    long charged;
    long refunded;
    boolean closed;
  }

  private final boolean forgetful;
  private final boolean callsBack;
  private final Outside outside;
  private final Map<String, Account> accounts = new HashMap<>();

  Bank(boolean forgetful, boolean callsBack, Outside outside) {
    this.forgetful = forgetful;
    this.callsBack = callsBack;
    this.outside = outside;
  }

  private Account account(String order) {
    return accounts.computeIfAbsent(order, _ -> new Account());
  }

  Outcome<Purchase> charge(Purchase order, Call call) {
    var account = account(call.sagaId());
    if (account.closed) return Outcome.declined("CLOSED", "refunded before it was charged");
    if (order.number() % DECLINES_EVERY == 7) return Outcome.declined("NO_FUNDS", "card declined");
    boolean known = account.charges > 0;
    if (!known || forgetful) {
      account.charges += 1;
      account.charged += order.minorUnits();
      account.price = Purchase.priceOf(order.number());
      if (callsBack) callBack(call.sagaId());
    }
    boolean tells = known && order.number() % SILENT_EVERY != 5;
    if (callsBack && !tells) return Outcome.pending("accepted");
    return Outcome.done(order.paidWith(receipt(order, call.key())));
  }

  /// Some receipts are garbled: no store can hold them.
  private static String receipt(Purchase order, String text) {
    return order.number() % GARBLED_EVERY == 13 ? text + "\0" : text;
  }

  private void callBack(String order) {
    outside.signal(
        order, new Signal("bank", order + "-paid", "paid", order), Duration.ofMillis(700));
  }

  Outcome<Purchase> paid(Purchase order, Signal signal) {
    return Outcome.done(order.paidWith(receipt(order, "charge-" + signal.body())));
  }

  Outcome<Purchase> find(Purchase order, Call call) {
    if (account(call.sagaId()).charges == 0) return Outcome.absent("no such charge");
    return Outcome.done(order.paidWith(call.key()));
  }

  Outcome<Purchase> refund(Purchase order, Call call) {
    var account = account(call.sagaId());
    account.closed = true;
    if (account.refunds < account.charges) {
      account.refunds += 1;
      account.refunded += order.minorUnits();
    }
    return Outcome.done(order);
  }

  boolean charged(String order) {
    return account(order).charges > account(order).refunds;
  }

  @Nullable String wrongNow(String order) {
    var account = account(order);
    if (account.charges > 1) return "it was charged " + account.charges + " times";
    if (account.charged != account.charges * account.price) return "another price was charged";
    if (account.refunded > account.charged) return "more was refunded than charged";
    return null;
  }
}
