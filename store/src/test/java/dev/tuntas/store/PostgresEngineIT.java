package dev.tuntas.store;

import static dev.tuntas.saga.Step.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Status;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Step;
import dev.tuntas.testservers.TestPostgres;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PostgresEngineIT extends EngineOnStore {

  private static final Duration SHORT = Duration.ofSeconds(4);

  private String url;

  @Override
  Stores open() throws Exception {
    if (url == null) url = TestPostgres.newDatabase();
    return Stores.postgres(PostgresSettings.of(url, null, null));
  }

  @AfterEach
  void drop() throws Exception {
    stores.close();
    TestPostgres.drop(url);
  }

  @Test
  void a_start_joins_the_callers_transaction() throws Exception {
    var saga = plain();
    try (var engine = engine(saga).open();
        var callers = TestPostgres.connect(url)) {
      callers.setAutoCommit(false);
      engine.startIn(callers, saga, "rolled-back", new Order("rolled-back", ""));
      callers.rollback();
      var joined = engine.startIn(callers, saga, "committed", new Order("committed", ""));
      callers.commit();
      joined.committed();
      assertThat(engine.await("committed", LONG)).contains(Status.DONE);
      engine.startIn(callers, saga, "hook-lost", new Order("hook-lost", ""));
      callers.commit(); // and nobody tells the engine
      assertThat(engine.await("hook-lost", LONG)).contains(Status.DONE);
      assertThat(engine.find("rolled-back")).isEmpty();
      assertThat(calls).noneMatch(key -> key.contains("rolled-back"));
    }
  }

  @Test
  void the_end_is_awaited_on_whatever_node_it_happens() throws Exception {
    var saga = plain();
    try (var one = engine(saga).open();
        var other = engine(saga).open()) {
      var end = other.ended("o1");
      one.start(saga, "o1", new Order("o1", ""));
      assertThat(end.join()).isEqualTo(Status.DONE);
    }
  }

  @Test
  void a_node_that_leaves_in_mid_call_is_taken_over_and_asked_about() throws Exception {
    var called = new CountDownLatch(1);
    var never = new CountDownLatch(1);
    var saga =
        SagaDefinition.saga(
            "left",
            1,
            Order.class,
            Step.<Order>step(
                    "pay",
                    (_, call) -> {
                      calls.add("do " + call.key());
                      called.countDown();
                      never.await();
                      return Outcome.unclear("never");
                    })
                .undo(this::call)
                .ifUnclearAsk(
                    (order, call) -> {
                      calls.add("ask " + call.key());
                      return Outcome.done(order);
                    }),
            step("stock", this::call).pivot());
    var first = engine(saga).open();
    first.start(saga, "o1", new Order("o1", ""));
    called.await();
    stores.sagas().leave(1);
    try (first;
        var second = engine(saga).open()) {
      assertThat(second.await("o1", LONG)).contains(Status.DONE);
      assertThat(calls).containsExactly("do o1/pay/do", "ask o1/pay/do", "o1/stock/do");
    } finally {
      never.countDown();
    }
  }

  @Test
  void a_new_connection_can_write_unless_it_is_read_only() throws Exception {
    assertThat(stores.canWriteAnew()).isTrue();
    try (var somebody = TestPostgres.connect(url);
        var statement = somebody.createStatement()) {
      var name = somebody.getCatalog();
      statement.execute("alter database " + name + " set default_transaction_read_only = on");
      assertThat(stores.canWriteAnew()).isFalse();
    }
  }

  /// More rows than writers, which meet them again and again.
  @Test
  void rows_that_somebody_keeps_locked_hold_up_nobody_else() throws Exception {
    int locked = 6;
    var begun = new CountDownLatch(locked);
    var goOn = new CountDownLatch(1);
    var held =
        SagaDefinition.saga(
            "held",
            1,
            Order.class,
            Step.<Order>step(
                    "pay",
                    (order, call) -> {
                      begun.countDown();
                      goOn.await();
                      return call(order, call);
                    })
                .undo(this::call)
                .timeout(LONG));
    var plain = plain();
    try (var engine = engine(held, plain).open();
        var somebody = TestPostgres.connect(url);
        var statement = somebody.createStatement()) {
      for (int i = 0; i < locked; i++) engine.start(held, "held-" + i, new Order("held", ""));
      begun.await();
      somebody.setAutoCommit(false);
      statement.executeQuery("select 1 from tuntas_saga where id like 'held-%' for update");
      goOn.countDown();
      await("they are in the way", () -> engine.vitals().oldestWrite().compareTo(SHORT) > 0);

      for (int i = 0; i < 100; i++) engine.start(plain, "free-" + i, new Order("free", ""));
      for (int i = 0; i < 100; i++) {
        assertThat(engine.await("free-" + i, LONG)).contains(Status.DONE);
      }
      assertThat(engine.vitals().trouble()).isEmpty();
      assertThat(engine.find("held-0").orElseThrow().status()).isEqualTo(Status.RUNNING);

      somebody.rollback();
      for (int i = 0; i < locked; i++) {
        assertThat(engine.await("held-" + i, LONG)).contains(Status.DONE);
      }
    }
  }
}
