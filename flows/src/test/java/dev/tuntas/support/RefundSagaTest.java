package dev.tuntas.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Progress.Done;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Undone;
import dev.tuntas.engine.Ruling;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.Status;
import dev.tuntas.money.Money;
import dev.tuntas.payment.Cashier;
import dev.tuntas.payment.Payments;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.store.Tables;
import dev.tuntas.support.RefundEvent.Result;
import dev.tuntas.testkit.simulation.Exploration;
import dev.tuntas.testkit.simulation.VirtualEngine;
import dev.tuntas.testkit.simulation.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RefundSagaTest {

  private static final Duration GIVE_UP = Duration.ofHours(24);
  private static final Money PRICE = new Money(150_000, "IDR");

  /// A bank with a ledger of its own: it gives money back once per key, or declines.
  private static final class Bank implements Payments {

    final Map<String, Money> ledger = new HashMap<>();
    final List<String> keys = new ArrayList<>();
    @Nullable Outcome<Receipt> answer;

    @Override
    public Outcome<Receipt> charge(Charge charge, String key) {
      if (answer == null) throw new UnsupportedOperationException();
      return answer;
    }

    @Override
    public Outcome<Receipt> refund(Refund refund, String key) {
      keys.add(key);
      if (answer != null) return answer;
      if (refund.orderId().endsWith("4")) {
        return Outcome.declined("refund_exceeds_captured", "there is too little left");
      }
      var amount = ledger.computeIfAbsent(key, _ -> refund.amount());
      return Outcome.done(new Receipt("t-" + key, amount, "refunded"));
    }
  }

  /// Refunds of which every fifth is declined.
  private static final class BankWorld implements World<RefundTask> {

    private final Bank bank = new Bank();

    @Override
    public SagaDefinition<RefundTask> saga() {
      return RefundSaga.definition(bank, Duration.ofMinutes(10));
    }

    @Override
    public RefundTask order(int n) {
      return new RefundTask("ord_" + n, PRICE, n % 2 == 0, null);
    }

    @Override
    public @Nullable String wrongNow(String sagaId) {
      return null; // the ledger is keyed by refund: it cannot hold one twice
    }

    private boolean isPaid(String sagaId) {
      var order = "ord_" + sagaId.substring(1);
      return bank.ledger.containsKey(sagaId) || bank.ledger.containsKey("refund-" + order);
    }

    @Override
    public @Nullable String wrongAtRest(SagaRow saga) {
      boolean paid = isPaid(saga.id());
      if (saga.status() == Status.DONE && !paid) return "it is done and nothing was given back";
      if (saga.status() == Status.UNDONE && paid) return "it failed and money was given back";
      return null;
    }

    @Override
    public boolean happened(String sagaId, String step) {
      return isPaid(sagaId);
    }
  }

  @Test
  void a_crash_or_a_lost_reply_at_any_point_refunds_once() {
    var exploration =
        Exploration.in((_, _) -> new BankWorld()).crashEverywhere().crashTwice().pauseEverywhere();
    assertThat(exploration.tally().runs()).isGreaterThan(20);
  }

  @Test
  void seeds_with_all_faults_keep_every_promise() {
    var exploration = Exploration.in((_, _) -> new BankWorld()).seeds(100);
    assertThat(exploration.tally().done()).isGreaterThan(50);
  }

  @Nested
  class AStory {

    private final Bank bank = new Bank();
    private final SagaDefinition<RefundTask> saga = RefundSaga.definition(bank, GIVE_UP);
    private final VirtualEngine engine = new VirtualEngine(saga);

    private RefundEvent only() {
      assertThat(engine.notices()).hasSize(1);
      var notice = engine.notices().getFirst();
      assertThat(notice.type()).isEqualTo(RefundEvent.TYPE);
      return RefundEvent.read(notice.body());
    }

    private void start() {
      engine.start(saga, "refund-ord_1", new RefundTask("ord_1", PRICE, true, null));
    }

    @Test
    void the_key_is_the_refunds_own_id_and_the_world_hears_what_was_returned() {
      start();
      engine.run(Duration.ofSeconds(1));
      assertThat(bank.keys).containsExactly("refund-ord_1");
      assertThat(engine.progress("refund-ord_1")).isInstanceOf(Done.class);
      assertThat(only())
          .isEqualTo(new RefundEvent("refund-ord_1", "ord_1", Result.DONE, PRICE, null));
    }

    @Test
    void a_clear_no_is_told() {
      bank.answer = Outcome.declined("refund_exceeds_captured", "too little left");
      start();
      engine.run(Duration.ofSeconds(1));
      assertThat(engine.progress("refund-ord_1")).isInstanceOf(Undone.class);
      assertThat(only().result()).isEqualTo(Result.REFUSED);
      assertThat(only().error()).contains("too little left");
    }

    @Test
    void doubt_is_asked_again_under_the_key_and_ends_with_a_person() {
      bank.answer = Outcome.unclear("no answer");
      start();
      engine.run(GIVE_UP.plusMinutes(5));
      assertThat(engine.progress("refund-ord_1")).isInstanceOf(Held.class);
      assertThat(bank.keys).hasSizeGreaterThan(100).containsOnly("refund-ord_1");
      assertThat(only().result()).isEqualTo(Result.HELD);
      long seen = engine.row("refund-ord_1").version();
      engine.rule(
          "refund-ord_1", new Ruling(Ruling.Kind.HAPPENED, "ann", "looked", "ledger", seen));
      engine.run(Duration.ofSeconds(5));
      assertThat(engine.progress("refund-ord_1")).isInstanceOf(Done.class);
    }

    @Test
    void what_a_person_found_not_to_have_happened_is_asked_for_again_under_the_key_of_the_order() {
      try (var till = Tables.inMemory(Cashier.TABLES)) {
        var cashier = new Cashier(till, bank, engine::now);
        var refunds = RefundSaga.definition(cashier, GIVE_UP);
        var desk = new VirtualEngine(refunds);
        var task = new RefundTask("ord_1", PRICE, true, null);
        bank.answer = Outcome.done(new Payments.Receipt("t-1", PRICE, "charged"));
        cashier.charge(new Payments.Charge("ord_1", "pm_ok", PRICE), "charge-ord_1");

        bank.answer = Outcome.unclear("no answer");
        desk.start(refunds, "refund-ord_1", task);
        desk.run(GIVE_UP.plusMinutes(5));
        long seen = desk.row("refund-ord_1").version();
        desk.rule(
            "refund-ord_1", new Ruling(Ruling.Kind.DID_NOT_HAPPEN, "ann", "no", "ledger", seen));
        desk.run(Duration.ofSeconds(5));
        assertThat(desk.progress("refund-ord_1")).isInstanceOf(Undone.class);

        bank.answer = null;
        desk.start(refunds, "refund-ord_1-1", task);
        desk.run(Duration.ofSeconds(5));
        assertThat(desk.progress("refund-ord_1-1")).isInstanceOf(Done.class);
        assertThat(desk.data(refunds, "refund-ord_1-1").returned()).isEqualTo(PRICE);
        assertThat(bank.keys).containsOnly("refund-ord_1");
      }
    }

    @Test
    void a_bank_that_is_away_is_never_given_up_on_silently() {
      bank.answer = Outcome.unavailable("503", "away");
      start();
      engine.run(Duration.ofDays(3));
      assertThat(only().result()).isIn(Result.REFUSED, Result.HELD);
    }
  }
}
