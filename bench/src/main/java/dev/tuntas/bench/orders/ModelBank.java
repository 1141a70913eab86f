package dev.tuntas.bench.orders;

import dev.tuntas.money.Money;
import dev.tuntas.payment.Payments;
import dev.tuntas.saga.Outcome;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A bank behind our payment service, with a ledger that nobody else writes. It charges once per
/// key, remembers what it declined, and refuses what was refunded before it came. Its replies get
/// lost, and some requests never reach it.
final class ModelBank implements Payments {

  private static final class Account {
    long charged;
    int charges;
    long refunded;
    int refunds;
    boolean closed;
  }

  private final RandomGenerator random;
  private final double trouble;
  private final Map<String, Account> accounts = new HashMap<>();
  private final Map<String, Outcome<Receipt>> answers = new HashMap<>();

  ModelBank(RandomGenerator random, double trouble) {
    this.random = random;
    this.trouble = trouble;
  }

  private Account account(String order) {
    return accounts.computeIfAbsent(order, _ -> new Account());
  }

  @Override
  public Outcome<Receipt> charge(Charge charge, String key) {
    return reached(() -> once("charge " + key, () -> doCharge(charge)));
  }

  private Outcome<Receipt> doCharge(Charge charge) {
    var account = account(charge.orderId());
    if (charge.paymentMethod().equals("pm_declined")) {
      return Outcome.declined("payment_declined", "The card was declined.");
    }
    if (account.closed) return Outcome.declined("refunded", "It was refunded before.");
    account.charges += 1;
    account.charged += charge.amount().amount();
    return Outcome.done(new Receipt("tx-" + charge.orderId(), charge.amount(), "charged"));
  }

  @Override
  public Outcome<Receipt> refund(Refund refund, String key) {
    return reached(() -> once("refund " + key, () -> doRefund(refund)));
  }

  private Outcome<Receipt> doRefund(Refund refund) {
    var account = account(refund.orderId());
    account.closed = true;
    long left = account.charged - account.refunded;
    if (left > 0) account.refunds += 1;
    account.refunded += left;
    var back = new Money(left, refund.amount().currency());
    return Outcome.done(new Receipt("rf-" + refund.orderId(), back, "refunded"));
  }

  private interface Request {
    Outcome<Receipt> make();
  }

  private Outcome<Receipt> once(String key, Request request) {
    var known = answers.get(key);
    if (known != null) return known;
    var answer = request.make();
    answers.put(key, answer);
    return answer;
  }

  /// It never says for certain that a request did not come: the network does, and makes no copies
  /// of such a one, while a copy of this one may still come.
  private Outcome<Receipt> reached(Request request) {
    if (random.nextDouble() < trouble) return Outcome.unclear("the request was lost");
    var answer = request.make();
    return random.nextDouble() < trouble ? Outcome.unclear("the reply was lost") : answer;
  }

  long kept(String order) {
    var account = account(order);
    return account.charged - account.refunded;
  }

  @Nullable String wrongNow(String order) {
    var account = account(order);
    if (account.charges > 1) return "it was charged " + account.charges + " times";
    if (account.refunds > 1) return "it was refunded " + account.refunds + " times";
    if (account.refunded > account.charged) return "more was refunded than charged";
    return null;
  }
}
