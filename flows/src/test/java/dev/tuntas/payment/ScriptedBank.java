package dev.tuntas.payment;

import dev.tuntas.money.Money;
import dev.tuntas.saga.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// A bank in memory that honours keys and tombstones. Before and after what it does, a test may let
/// other things happen, or have the answer lost.
final class ScriptedBank implements Payments {

  private static final class Account {
    long captured;
    long refunded;
    boolean closed;
  }

  private final Map<String, Account> accounts = new HashMap<>();
  private final Map<String, Outcome<Receipt>> known = new HashMap<>();
  private final Deque<Runnable> before = new ArrayDeque<>();
  private final Deque<UnaryOperator<Outcome<Receipt>>> after = new ArrayDeque<>();
  private Runnable arrived = () -> {};
  private UnaryOperator<Outcome<Receipt>> answered = UnaryOperator.identity();
  final List<String> calls = new ArrayList<>();

  /// Happens at every call: when it arrives, and to its answer.
  void atEveryCall(Runnable arrived, UnaryOperator<Outcome<Receipt>> answered) {
    this.arrived = arrived;
    this.answered = answered;
  }

  /// Happens when the next call arrives, before anything is done about it.
  void beforeNext(Runnable script) {
    before.add(script);
  }

  /// Happens to the answer of the next call.
  void answerNext(UnaryOperator<Outcome<Receipt>> script) {
    after.add(script);
  }

  void loseNextAnswer() {
    answerNext(_ -> Outcome.unclear("connection lost"));
  }

  long captured(String order) {
    return account(order).captured;
  }

  long kept(String order) {
    return account(order).captured - account(order).refunded;
  }

  private Account account(String order) {
    return accounts.computeIfAbsent(order, _ -> new Account());
  }

  @Override
  public Outcome<Receipt> charge(Charge charge, String key) {
    calls.add("charge " + key);
    run();
    var answer =
        known.containsKey("charge " + key) ? known.get("charge " + key) : charged(charge, key);
    return answered(answer);
  }

  private Outcome<Receipt> charged(Charge charge, String key) {
    var account = account(charge.orderId());
    if (account.closed) return Outcome.declined("refunded", "closed");
    if (charge.paymentMethod().equals("pm_declined")) {
      return Outcome.declined("payment_declined", "no funds");
    }
    account.captured += charge.amount().amount();
    return remember("charge " + key, new Receipt("bank-" + key, charge.amount(), "charged"));
  }

  private Outcome<Receipt> remember(String key, Receipt receipt) {
    Outcome<Receipt> answer = Outcome.done(receipt);
    known.put(key, answer);
    return answer;
  }

  @Override
  public Outcome<Receipt> refund(Refund refund, String key) {
    calls.add("refund " + key);
    run();
    var answer =
        known.containsKey("refund " + key) ? known.get("refund " + key) : refunded(refund, key);
    return answered(answer);
  }

  private Outcome<Receipt> refunded(Refund refund, String key) {
    var account = account(refund.orderId());
    long left = account.captured - account.refunded;
    long amount = refund.whole() ? left : refund.amount().amount();
    if (refund.whole()) account.closed = true;
    if (amount > left) return Outcome.declined("refund_exceeds_captured", "too much");
    account.refunded += amount;
    return remember(
        "refund " + key,
        new Receipt("bank-" + key, new Money(amount, refund.amount().currency()), "refunded"));
  }

  private void run() {
    arrived.run();
    if (!before.isEmpty()) before.remove().run();
  }

  private Outcome<Receipt> answered(Outcome<Receipt> answer) {
    return answered.apply(after.isEmpty() ? answer : after.remove().apply(answer));
  }
}
