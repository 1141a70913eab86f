package dev.tuntas.store;

import static dev.tuntas.saga.Step.step;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.engine.Breaker;
import dev.tuntas.engine.Engine;
import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.EngineSettings;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.HistoryEntry;
import dev.tuntas.engine.HistoryLine;
import dev.tuntas.engine.Lane;
import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.Progress;
import dev.tuntas.engine.Ruling;
import dev.tuntas.engine.SagaStore.Put;
import dev.tuntas.engine.State;
import dev.tuntas.engine.Status;
import dev.tuntas.saga.AskPolicy;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.GiveUp;
import dev.tuntas.saga.Notice;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.RetryPolicy;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import dev.tuntas.saga.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// The engine in real time on a real store: what neither the simulation nor the contract of the
/// store can show.
@Execution(ExecutionMode.CONCURRENT)
abstract class EngineOnStore {

  static final Duration LONG = ofSeconds(20);

  /// What a saga carries.
  record Order(String id, String note) {}

  private static final RetryPolicy FAST =
      RetryPolicy.patient().attempts(50).intervals(ofMillis(5), ofMillis(50));

  final Queue<String> calls = new ConcurrentLinkedQueue<>();
  final Queue<Outbox.Entry> published = new ConcurrentLinkedQueue<>();
  Stores stores;

  abstract Stores open() throws Exception;

  @BeforeEach
  void openStores() throws Exception {
    stores = open();
  }

  @AfterEach
  void closeStores() {
    stores.close();
  }

  EngineSetup engine(SagaDefinition<?>... sagas) {
    return EngineSetup.on(stores.sagas(), stores.outbox(), new JacksonDataCodec())
        .consumers(stores.consumers())
        .publishTo(published::add)
        .define(sagas);
  }

  Outcome<Order> call(Order order, Call call) {
    calls.add(call.key());
    return Outcome.done(new Order(order.id(), order.note() + "+" + call.step()));
  }

  SagaDefinition<Order> plain() {
    return SagaDefinition.saga(
        "plain",
        1,
        Order.class,
        step("pay", this::call).key("charge-{id}").undo(this::call).undoKey("refund-{id}"),
        step("stock", this::call).pivot(),
        step("confirm", this::call));
  }

  static void await(String what, BooleanSupplier condition) {
    long until = System.nanoTime() + LONG.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(until);
      LockSupport.parkNanos(2_000_000);
    }
  }

  @Test
  void who_hears_that_a_saga_was_started_may_wait_for_anything() throws Exception {
    var saga = plain();
    try (var engine = engine(saga).open()) {
      var ends = new ArrayList<CompletableFuture<Status>>();
      for (int i = 0; i < 5; i++) {
        var id = "o" + i;
        ends.add(
            engine
                .startAsync(saga, id, new Order(id, ""))
                .thenApply(_ -> engine.ended(id).join())
                .thenApply(_ -> engine.start(saga, id + "-after", new Order(id, "")))
                .thenApply(_ -> engine.ended(id + "-after").join()));
      }
      for (var end : ends) assertThat(end.get(10, TimeUnit.SECONDS)).isEqualTo(Status.DONE);
    }
  }

  @Test
  void a_saga_runs_to_its_end_and_leaves_a_history_with_its_keys() throws Exception {
    var saga = plain();
    try (var engine = engine(saga).open()) {
      assertThat(engine.start(saga, "o1", new Order("o1", ""))).isTrue();
      assertThat(engine.await("o1", LONG)).contains(Status.DONE);
      assertThat(calls).containsExactly("charge-o1", "o1/stock/do", "o1/confirm/do");
      assertThat(engine.history("o1").stream().map(HistoryLine::what))
          .anyMatch(what -> what.contains("key charge-o1"))
          .last()
          .asString()
          .contains("done");
      assertThat(engine.find("o1").orElseThrow().data()).contains("+pay+stock+confirm");
    }
  }

  /// Looks for work so seldom that somebody has to ring.
  private EngineSetup waitingForTheBell(SagaDefinition<?>... sagas) {
    var standard = EngineSettings.standard();
    var pace = standard.pace();
    return engine(sagas)
        .settings(
            standard.pace(
                new EngineSettings.Pace(
                    LONG.multipliedBy(10), pace.napMax(), pace.sweepEvery(), pace.stuckAfter())));
  }

  @Test
  void who_runs_none_leaves_sagas_to_others() throws Exception {
    var saga = plain();
    var rung = new ConcurrentLinkedQueue<String>();
    try (var front =
        engine(saga).runsNone().doorbell((why, ids) -> rung.add(why + " " + ids)).open()) {
      assertThat(front.start(saga, "o1", new Order("o1", ""))).isTrue();
      assertThat(front.start(saga, "o1", new Order("o1", "again"))).isFalse();
      assertThat(front.startWith(saga, "o2", new Order("o2", ""), _ -> {})).isTrue();
      assertThat(front.find("o1").orElseThrow().status()).isEqualTo(Status.WAITING);
      assertThat(front.find("o2").orElseThrow().status()).isEqualTo(Status.WAITING);
      assertThat(rung).containsExactly("PLACED [o1]", "PLACED [o2]");
      assertThat(front.running()).isZero();
      assertThat(front.load()).isZero();
      assertThat(calls).isEmpty();
      try (var _ = engine(saga).open()) {
        assertThat(front.await("o1", LONG)).contains(Status.DONE);
        assertThat(front.await("o2", LONG)).contains(Status.DONE);
      }
      assertThat(calls).hasSize(6);
    }
  }

  @Test
  void a_bell_is_answered_at_once() throws Exception {
    var saga = plain();
    try (var worker = waitingForTheBell(saga).open();
        var front = engine(saga).runsNone().doorbell((_, ids) -> worker.answer(ids)).open()) {
      front.start(saga, "o1", new Order("o1", ""));
      assertThat(front.await("o1", LONG)).contains(Status.DONE);
      assertThat(worker.answer(List.of("o1", "nobody"))).isTrue();
      assertThat(calls).hasSize(3);
    }
  }

  @Test
  void the_same_id_is_started_once() throws Exception {
    var saga = plain();
    try (var engine = engine(saga).open()) {
      assertThat(engine.start(saga, "o1", new Order("o1", "first"))).isTrue();
      assertThat(engine.start(saga, "o1", new Order("o1", "second"))).isFalse();
      assertThat(engine.await("o1", LONG)).contains(Status.DONE);
      assertThat(engine.start(saga, "o1", new Order("o1", "third"))).isFalse();
      assertThat(calls).hasSize(3);
    }
  }

  @Test
  void a_clear_failure_undoes_what_was_done() throws Exception {
    var saga =
        SagaDefinition.saga(
            "declined",
            1,
            Order.class,
            step("pay", this::call).undo(this::call),
            Step.<Order>step("stock", (_, _) -> Outcome.declined("OUT_OF_STOCK", "none left"))
                .pivot());
    try (var engine = engine(saga).open()) {
      engine.start(saga, "o1", new Order("o1", ""));
      assertThat(engine.await("o1", LONG)).contains(Status.UNDONE);
      assertThat(calls).containsExactly("o1/pay/do", "o1/pay/undo");
      await("the end is published", () -> !published.isEmpty());
      assertThat(published.peek().type()).isEqualTo("saga.undone");
    }
  }

  @Test
  void an_exception_and_a_timeout_are_doubt_and_are_asked_about() throws Exception {
    var attempts = new AtomicInteger();
    var stuck = new CountDownLatch(1);
    var saga =
        SagaDefinition.saga(
            "doubtful",
            1,
            Order.class,
            Step.<Order>step(
                    "pay",
                    (order, call) -> {
                      calls.add(call.key());
                      switch (attempts.incrementAndGet()) {
                        case 1 -> throw new IllegalStateException("nobody planned for this");
                        case 2 -> stuck.await();
                        default -> {}
                      }
                      return Outcome.done(order);
                    })
                .timeout(ofMillis(1_000))
                .ifUnclearRepeat(AskPolicy.firstAfter(ofMillis(5)).then(FAST))
                .pivot());
    try (var engine = engine(saga).open()) {
      engine.start(saga, "o1", new Order("o1", ""));
      assertThat(engine.await("o1", LONG)).contains(Status.DONE);
      assertThat(calls).containsOnly("o1/pay/do").hasSize(3);
      assertThat(engine.history("o1").stream().map(HistoryLine::what))
          .anyMatch(what -> what.contains("unclear"));
    } finally {
      stuck.countDown();
    }
  }

  private SagaDefinition<Order> waiting() {
    return SagaDefinition.saga(
        "waiting",
        1,
        Order.class,
        step("book", this::call).undo(this::call),
        Step.<Order>waitFor("driver")
            .onSignal(
                "assigned", (order, signal) -> Outcome.done(new Order(order.id(), signal.body())))
            .ifStillUnclear(GiveUp.undo(Duration.ofMinutes(30))));
  }

  @Test
  void a_signal_may_come_before_its_saga_and_twice() throws Exception {
    var saga = waiting();
    try (var engine = engine(saga).open()) {
      var signal = new Signal("partner", "cb-1", "assigned", "car 7");
      assertThat(engine.signal("o1", signal)).isEqualTo(Put.NEW);
      assertThat(engine.signal("o1", signal)).isEqualTo(Put.KNOWN);
      assertThat(engine.signal("o1", new Signal("partner", "cb-1", "assigned", "car 8")))
          .isEqualTo(Put.CONFLICT);
      engine.start(saga, "o1", new Order("o1", ""));
      assertThat(engine.await("o1", LONG)).contains(Status.DONE);
      assertThat(engine.find("o1").orElseThrow().data()).contains("car 7");
    }
  }

  @Test
  void a_saga_that_sleeps_is_woken_by_a_signal_and_can_be_cancelled() throws Exception {
    var saga = waiting();
    try (var engine = engine(saga).open()) {
      engine.start(saga, "told", new Order("told", ""));
      engine.start(saga, "cancelled", new Order("cancelled", ""));
      for (var id : List.of("told", "cancelled")) {
        await("it sleeps", () -> engine.find(id).orElseThrow().status() == Status.WAITING);
      }
      engine.signal("told", new Signal("partner", "cb-1", "assigned", "car 7"));
      var ruling = engine.rule("cancelled", Ruling.cancel("customer", "no longer needed"));
      assertThat(engine.await("told", LONG)).contains(Status.DONE);
      assertThat(engine.verdict(ruling, LONG).orElseThrow()).startsWith("applied");
      assertThat(engine.await("cancelled", LONG)).contains(Status.UNDONE);
      assertThat(calls).contains("cancelled/book/undo").doesNotContain("told/book/undo");
      var late = engine.rule("told", Ruling.cancel("customer", "too late"));
      assertThat(engine.verdict(late, LONG).orElseThrow()).startsWith("refused");
    }
  }

  @Test
  void what_is_held_is_decided_by_a_person_who_saw_it() throws Exception {
    var saga =
        SagaDefinition.saga(
            "held",
            1,
            Order.class,
            Step.<Order>step("pay", (_, _) -> Outcome.unclear("a timeout"))
                .undo(this::call)
                .unrepeatable()
                .timeout(ofMillis(50))
                .ifStillUnclear(GiveUp.hold(ofMillis(100))),
            step("stock", this::call).pivot());
    try (var engine = engine(saga).open()) {
      engine.start(saga, "o1", new Order("o1", ""));
      await("it is held", () -> engine.find("o1").orElseThrow().status() == Status.HELD);
      long version = engine.find("o1").orElseThrow().version();
      var stale = new Ruling(Ruling.Kind.HAPPENED, "ani", "saw it", "receipt 5", version - 1);
      assertThat(engine.verdict(engine.rule("o1", stale), LONG).orElseThrow())
          .startsWith("refused");
      long now = engine.find("o1").orElseThrow().version();
      var seen = new Ruling(Ruling.Kind.HAPPENED, "ani", "saw it", "receipt 5", now);
      assertThat(engine.verdict(engine.rule("o1", seen), LONG).orElseThrow()).startsWith("applied");
      assertThat(engine.await("o1", LONG)).contains(Status.DONE);
      assertThat(engine.history("o1").stream().map(HistoryLine::what))
          .anyMatch(what -> what.contains("ani") && what.contains("receipt 5"));
    }
  }

  @Test
  void the_callers_rows_and_the_saga_commit_together_or_not_at_all() throws Exception {
    var saga = plain();
    try (var engine = engine(saga).open()) {
      engine.startWith(
          saga,
          "with",
          new Order("with", ""),
          connection -> {
            try (var create = connection.createStatement()) {
              create.execute("create table host_order (id varchar(20) primary key)");
              create.execute("insert into host_order values ('with')");
            }
          });
      assertThat(engine.await("with", LONG)).contains(Status.DONE);
      assertThatThrownBy(
              () ->
                  engine.startWith(
                      saga,
                      "without",
                      new Order("without", ""),
                      connection -> {
                        try (var insert = connection.createStatement()) {
                          insert.execute("insert into host_order values ('without')");
                        }
                        throw new IllegalStateException("the caller changed its mind");
                      }))
          .hasMessageContaining("changed its mind");
      assertThat(engine.find("without")).isEmpty();
      var rolledBack =
          engine.startWith(
              saga,
              "known",
              new Order("known", ""),
              connection -> {
                try (var insert = connection.createStatement()) {
                  insert.execute("insert into host_order values ('without')"); // free again
                }
              });
      assertThat(rolledBack).isTrue();
    }
  }

  @Test
  void notices_are_published_in_order_per_saga_also_when_the_publisher_fails() throws Exception {
    var fails = new AtomicInteger();
    var saga =
        plain().announce(moment -> List.of(new Notice(moment.kind().name(), moment.sagaId())));
    var setup =
        engine(saga)
            .publishTo(
                notice -> {
                  if (fails.incrementAndGet() == 3) throw new IllegalStateException("broker away");
                  published.add(notice);
                });
    try (var engine = setup.open()) {
      for (int i = 0; i < 20; i++) engine.start(saga, "o" + i, new Order("o" + i, ""));
      await("all are published", () -> published.size() == 20 * 5);
    }
    for (int i = 0; i < 20; i++) {
      var id = "o" + i;
      assertThat(published.stream().filter(n -> n.sagaId().equals(id)).map(Outbox.Entry::type))
          .containsExactly("STARTED", "STEP_DONE", "STEP_DONE", "STEP_DONE", "DONE");
    }
  }

  @Test
  void a_lane_keeps_its_limits_and_an_open_breaker_spends_no_attempts() throws Exception {
    var underWay = new AtomicInteger();
    var most = new AtomicInteger();
    var down = new AtomicInteger(1);
    var saga =
        SagaDefinition.saga(
            "laned",
            1,
            Order.class,
            Step.<Order>step(
                    "book",
                    (order, _) -> {
                      most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                      try {
                        if (down.get() == 1)
                          return Outcome.unavailable("DOWN", "connection refused");
                        return Outcome.done(order);
                      } finally {
                        underWay.decrementAndGet();
                      }
                    })
                .lane("partner")
                .retry(FAST.attempts(12))
                .pivot());
    var lane =
        Lane.Settings.of("partner")
            .concurrency(3)
            .breaker(new Breaker.Settings(0.5, 5, 10, ofMillis(300), ofMillis(300), ofSeconds(2)));
    try (var engine = engine(saga).lane(lane).open()) {
      for (int i = 0; i < 40; i++) engine.start(saga, "o" + i, new Order("o" + i, ""));
      // Far longer than twelve attempts of every saga would take, were they spent.
      long until = System.nanoTime() + ofSeconds(2).toNanos();
      await("time passes", () -> System.nanoTime() > until);
      down.set(0);
      for (int i = 0; i < 40; i++) assertThat(engine.await("o" + i, LONG)).contains(Status.DONE);
      assertThat(most.get()).isLessThanOrEqualTo(3);
    }
  }

  @Test
  void an_edited_definition_and_bad_input_are_refused_with_a_sentence() throws Exception {
    var saga = plain();
    try (var engine = engine(saga).open()) {
      assertThatThrownBy(() -> engine.start(saga, "", new Order("", "")))
          .hasMessageContaining("1 to 200 visible ASCII");
      assertThatThrownBy(() -> engine.start(saga, "o1", new Order("o1", "x".repeat(40_000))))
          .hasMessageContaining("exceeds");
      assertThatThrownBy(() -> engine.start(waiting(), "o1", new Order("o1", "")))
          .hasMessageContaining("not given to this engine");
    }
    var edited =
        SagaDefinition.saga("plain", 1, Order.class, step("pay", this::call).undo(this::call));
    assertThatThrownBy(() -> engine(edited).open()).hasMessageContaining("plain");
  }

  interface Note {
    String text();
  }

  record Words(String text) implements Note {}

  /// Can be written, and read back only without a note.
  record Noted(String id, @Nullable Note note) {}

  @Test
  void data_that_could_not_be_read_again_is_refused_at_the_start() throws Exception {
    var saga =
        SagaDefinition.saga(
            "noted",
            1,
            Noted.class,
            Step.<Noted>step("pay", (it, _) -> Outcome.done(it)).harmless());
    try (var engine = engine(saga).open()) {
      assertThatThrownBy(() -> engine.start(saga, "o1", new Noted("o1", new Words("a"))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Noted cannot be read back from its JSON, at note:");
      assertThatThrownBy(() -> engine.start(saga, "o1", null))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cannot start with null");
      assertThat(engine.find("o1")).isEmpty();
      assertThat(engine.start(saga, "o1", new Noted("o1", null))).isTrue();
    }
  }

  @Test
  void a_step_whose_data_could_not_be_read_again_is_held_with_the_reason() throws Exception {
    var worded =
        SagaDefinition.saga(
            "worded",
            1,
            Noted.class,
            Step.<Noted>step("pay", (it, _) -> Outcome.done(new Noted(it.id, new Words("paid"))))
                .harmless());
    var emptied =
        SagaDefinition.saga(
            "emptied",
            1,
            Noted.class,
            Step.<Noted>step("pay", (_, _) -> Outcome.done(null)).harmless());
    try (var engine = engine(worded, emptied).open()) {
      engine.start(worded, "o1", new Noted("o1", null));
      engine.start(emptied, "o2", new Noted("o2", null));
      for (var id : List.of("o1", "o2")) {
        await(id + " is held", () -> engine.find(id).orElseThrow().status() == Status.HELD);
        assertThat(engine.find(id).orElseThrow().progress())
            .isInstanceOfSatisfying(
                Progress.Held.class, held -> assertThat(held.why().code()).isEqualTo("UNSTORABLE"));
      }
      assertThat(engine.history("o1").getLast().what()).contains("at note:");
      assertThat(engine.history("o2").getLast().what()).contains("gave null for its data");
    }
  }

  /// Can be changed, which a step should not do.
  static final class Cart {
    public List<String> items = new ArrayList<>();

    private Cart with(String item) {
      items.add(item);
      return this;
    }
  }

  @Test
  void what_a_step_changed_and_did_not_do_is_not_stored() throws Exception {
    var saga =
        SagaDefinition.saga(
            "cart",
            1,
            Cart.class,
            Step.<Cart>step(
                    "hold",
                    (cart, call) -> {
                      cart.with("try");
                      if (calls.isEmpty()) {
                        calls.add(call.key());
                        throw new IllegalStateException("nobody knows");
                      }
                      return Outcome.done(cart.with("held"));
                    })
                .undo((cart, _) -> Outcome.done(cart))
                .ifUnclearRepeat(AskPolicy.firstAfter(ofMillis(1))),
            Step.<Cart>step(
                    "pay",
                    (cart, _) -> {
                      cart.with("paid");
                      return Outcome.declined("NO", "said no");
                    })
                .harmless());
    try (var engine = engine(saga).open()) {
      engine.start(saga, "o1", new Cart());
      assertThat(engine.await("o1", LONG)).contains(Status.UNDONE);
      assertThat(engine.find("o1").orElseThrow().data())
          .isEqualTo("{\"items\":[\"try\",\"held\"]}");
    }
  }

  /// As a program that can read notes has defined it.
  record Read(String id, @Nullable Words note) {}

  private <D> SagaDefinition<D> waiting(Class<D> data) {
    return SagaDefinition.saga(
        "waiting",
        1,
        data,
        Step.<D>waitFor("paid")
            .onSignal("paid", (it, _) -> Outcome.done(it))
            .ifStillUnclear(GiveUp.undo(Duration.ofDays(1))));
  }

  @Test
  void what_cannot_be_read_stays_held_whatever_it_is_told_and_goes_on_when_it_can_be_read()
      throws Exception {
    var written = waiting(Read.class);
    try (var engine = engine(written).open()) {
      engine.start(written, "o1", new Read("o1", new Words("a")));
    }
    try (var engine = engine(waiting(Noted.class)).open()) {
      engine.signal("o1", new Signal("bank", "s-1", "paid", "yes"));
      await("it is held", () -> engine.find("o1").orElseThrow().status() == Status.HELD);
      var retry = engine.rule("o1", Ruling.retry("ana", "try"));
      assertThat(engine.verdict(retry, LONG)).get().asString().contains("cannot be read");
      engine.signal("o1", new Signal("bank", "s-2", "other", ""));
      await("it kept both", () -> engine.history("o1").size() == 4);
      var held = engine.find("o1").orElseThrow();
      assertThat(held.status()).isEqualTo(Status.HELD);
      assertThat(held.progress())
          .isInstanceOfSatisfying(
              Progress.Held.class, it -> assertThat(it.why().code()).isEqualTo("UNREADABLE"));
    }
    try (var engine = engine(written).open()) {
      engine.rule("o1", Ruling.retry("ana", "the program is mended"));
      assertThat(engine.await("o1", LONG)).contains(Status.DONE);
      // A person heard of it once.
      await(
          "its end is told",
          () -> published.stream().anyMatch(it -> it.type().equals("saga.done")));
      assertThat(published)
          .extracting(Outbox.Entry::type)
          .containsExactly("saga.held", "saga.done");
    }
  }

  @Test
  void unfinished_sagas_of_a_missing_version_are_reported() throws Exception {
    var saga = waiting();
    try (var engine = engine(saga).open()) {
      engine.start(saga, "o1", new Order("o1", ""));
      await("it sleeps", () -> engine.find("o1").orElseThrow().status() == Status.WAITING);
    }
    try (Engine engine = engine(plain()).open()) {
      assertThat(engine.unknown())
          .singleElement()
          .satisfies(
              unknown -> {
                assertThat(unknown.name()).isEqualTo("waiting");
                assertThat(unknown.sagas()).isEqualTo(1);
              });
    }
  }

  @Test
  void a_listener_or_an_announcer_that_breaks_stops_nothing_else() throws Exception {
    var broken =
        new EngineListener() {
          @Override
          public void moved(
              SagaDefinition<?> saga, String id, Progress progress, List<HistoryEntry> history) {
            throw new AssertionError("a listener's own mistake");
          }
        };
    var mute =
        SagaDefinition.saga("mute", 1, Order.class, step("pay", this::call).pivot())
            .announce(
                _ -> {
                  throw new AssertionError("an announcer's own mistake");
                });
    var heard = new ConcurrentLinkedQueue<Progress>();
    var whole =
        new EngineListener() {
          @Override
          public <D> void changed(
              SagaDefinition<D> saga, String id, State<D> before, State<D> after) {
            heard.add(before.progress());
            heard.add(after.progress());
          }
        };
    var saga = plain();
    try (var engine = engine(saga, mute).listener(broken, whole).open()) {
      assertThatThrownBy(() -> engine.start(mute, "mute", new Order("mute", "")))
          .hasMessageContaining("mistake");
      engine.start(saga, "o1", new Order("o1", ""));
      assertThat(engine.await("o1", LONG)).contains(Status.DONE);
      Eventually.until("nothing runs", () -> engine.running() == 0);
    }
    assertThat(heard.peek()).isInstanceOf(Progress.Ready.class);
    assertThat(heard).last().isEqualTo(new Progress.Done());
  }

  @Test
  void an_engine_that_publishes_nowhere_must_say_so() {
    assertThatThrownBy(
            () ->
                EngineSetup.on(stores.sagas(), stores.outbox(), new JacksonDataCodec())
                    .define(plain())
                    .open())
        .hasMessageContaining("publishTo");
  }

  @Test
  void closing_hands_running_sagas_back_and_the_next_engine_ends_them() throws Exception {
    var first = new CountDownLatch(1);
    var slow = new CountDownLatch(1);
    var saga =
        SagaDefinition.saga(
            "handed",
            1,
            Order.class,
            Step.<Order>step(
                    "one",
                    (order, call) -> {
                      calls.add(call.key());
                      first.countDown();
                      slow.await();
                      return Outcome.done(order);
                    })
                .undo(this::call),
            step("two", this::call).pivot());
    try (var engine = engine(saga).open()) {
      engine.start(saga, "o1", new Order("o1", ""));
      first.await();
      Thread.ofVirtual().start(slow::countDown);
    }
    try (var engine = engine(saga).open()) {
      assertThat(engine.await("o1", LONG)).contains(Status.DONE);
      assertThat(calls).containsExactly("o1/one/do", "o1/two/do");
    }
  }

  @Test
  void what_is_due_and_taken_up_by_nobody_is_counted() {
    var saga =
        SagaDefinition.saga(
            "later",
            1,
            Order.class,
            Step.<Order>step("pay", (_, _) -> Outcome.unavailable("AWAY", "in an hour"))
                .retry(RetryPolicy.patient().intervals(Duration.ofHours(1), Duration.ofHours(1)))
                .pivot());
    try (var engine = engine(saga).open()) {
      engine.start(saga, "o1", new Order("o1", ""));
      await("a retry", () -> engine.find("o1").orElseThrow().status() == Status.WAITING);

      assertThat(stores.queueDepth(Instant.now())).isZero();
      assertThat(stores.queueDepth(Instant.now().plus(Duration.ofHours(3)))).isEqualTo(1);
    }
  }
}
