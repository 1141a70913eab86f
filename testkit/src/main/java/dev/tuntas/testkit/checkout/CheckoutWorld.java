package dev.tuntas.testkit.checkout;

import static dev.tuntas.saga.Step.step;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.Status;
import dev.tuntas.saga.Announcer;
import dev.tuntas.saga.AskPolicy;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.GiveUp;
import dev.tuntas.saga.Moment;
import dev.tuntas.saga.Notice;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.RetryPolicy;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Step;
import dev.tuntas.testkit.simulation.World;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Pay, commit stock, clear the cart if possible, confirm. How the bank behaves, what its step does
/// in doubt and whether there is a deadline differ from seed to seed.
public final class CheckoutWorld implements World<Purchase> {

  /// What differs from seed to seed.
  ///
  /// @param forgetful the bank does not honour keys, so that it must be asked, never told again
  /// @param asks a payment in doubt is looked up, not repeated
  /// @param callsBack the bank answers later, by a signal
  /// @param holds a payment in doubt is held for a person, not undone
  /// @param deadline the whole order has a deadline
  public record Variant(
      boolean forgetful, boolean asks, boolean callsBack, boolean holds, boolean deadline) {

    static Variant drawn(RandomGenerator random) {
      return new Variant(
          random.nextInt(4) == 0,
          random.nextBoolean(),
          random.nextInt(3) == 0,
          random.nextBoolean(),
          random.nextBoolean());
    }
  }

  private static final AskPolicy ASK =
      AskPolicy.firstAfter(ofMillis(500))
          .then(RetryPolicy.patient().intervals(ofMillis(500), ofSeconds(20)));
  private static final RetryPolicy RETRY =
      RetryPolicy.patient().attempts(6).intervals(ofMillis(200), ofSeconds(5));

  private final Variant variant;
  private final Bank bank;
  private final Warehouse warehouse;
  private final Set<String> confirmed = new HashSet<>();
  private final SagaDefinition<Purchase> saga;

  public CheckoutWorld(Outside outside, RandomGenerator random) {
    this(Variant.drawn(random), outside, random);
  }

  public CheckoutWorld(Variant variant, Outside outside, RandomGenerator random) {
    this.variant = variant;
    bank = new Bank(variant.forgetful(), variant.callsBack(), outside);
    warehouse = new Warehouse(random.nextInt(5, 80));
    saga = define();
  }

  private SagaDefinition<Purchase> define() {
    var whole =
        SagaDefinition.saga(
                "checkout",
                1,
                Purchase.class,
                pay(),
                step("commit-stock", warehouse::commit)
                    .key("commit-{id}")
                    .timeout(ofSeconds(2))
                    .ifUnclearRepeat(ASK)
                    .retry(RETRY)
                    .pivot(),
                step("clear-cart", this::clearCart)
                    .timeout(ofSeconds(1))
                    .ifUnclearRepeat(ASK)
                    .optional(),
                step("confirm", this::confirm).timeout(ofSeconds(1)).ifUnclearRepeat(ASK))
            .announce(CheckoutWorld::announce);
    return variant.deadline() ? whole.deadline(ofSeconds(20)) : whole;
  }

  private Step<Purchase> pay() {
    var pay =
        step("pay", bank::charge)
            .key("charge-{id}")
            .undo(bank::refund)
            .undoKey("refund-{id}")
            .timeout(ofSeconds(2))
            .undoTimeout(ofSeconds(2))
            .ifUnclearRepeat(ASK)
            .retry(RETRY)
            .ifStillUnclear(
                variant.holds() ? GiveUp.hold(ofMinutes(10)) : GiveUp.undo(ofMinutes(1)));
    if (variant.callsBack()) pay = pay.onSignal("paid", bank::paid);
    if (variant.forgetful()) pay = pay.unrepeatable();
    return variant.asks() || variant.forgetful() ? pay.ifUnclearAsk(bank::find, ASK) : pay;
  }

  private static List<Notice> announce(Moment<Purchase> moment) {
    var all = new ArrayList<>(Announcer.<Purchase>endsAndTrouble().at(moment));
    switch (moment.kind()) {
      case STARTED -> all.add(new Notice("order.accepted", moment.sagaId()));
      case STEP_DONE -> all.add(new Notice("order.step", moment.sagaId()));
      case STEP_SKIPPED, UNDOING, HELD, COMPENSATION_FAILED, LATE_SIGNAL, DONE, UNDONE -> {}
    }
    return all;
  }

  private Outcome<Purchase> clearCart(Purchase order, Call call) {
    return order.number() % 5 == 3
        ? Outcome.declined("NO_CART", "the cart is gone")
        : Outcome.done(order);
  }

  private Outcome<Purchase> confirm(Purchase order, Call call) {
    confirmed.add(call.sagaId());
    return Outcome.done(order);
  }

  @Override
  public SagaDefinition<Purchase> saga() {
    return saga;
  }

  @Override
  public Purchase order(int n) {
    return Purchase.of(n);
  }

  @Override
  public boolean honoursKeys(String step) {
    return !(step.equals("pay") && variant.forgetful());
  }

  @Override
  public boolean isPoison(Object data) {
    return data instanceof Purchase order && order.receipt().indexOf('\0') >= 0;
  }

  @Override
  public @Nullable String wrongNow(String sagaId) {
    var wrong = bank.wrongNow(sagaId);
    return wrong != null ? wrong : warehouse.wrongNow();
  }

  @Override
  public @Nullable String wrongAtRest(SagaRow saga) {
    var id = saga.id();
    boolean paid = bank.charged(id);
    boolean taken = warehouse.took("commit-" + id);
    if (saga.status() == Status.DONE) {
      if (!paid) return "it is done and not paid";
      if (!taken) return "it is done and no stock was taken";
      if (!confirmed.contains(id)) return "it is done and not confirmed";
      return null;
    }
    if (paid) return "it is undone and the money was kept";
    if (taken) return "it is undone and the stock was taken";
    return confirmed.contains(id) ? "it is undone and was confirmed" : null;
  }

  @Override
  public boolean happened(String sagaId, String step) {
    return switch (step) {
      case "pay" -> bank.charged(sagaId);
      case "commit-stock" -> warehouse.took("commit-" + sagaId);
      case "confirm" -> confirmed.contains(sagaId);
      default -> false;
    };
  }
}
