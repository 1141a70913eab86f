package dev.tuntas.store;

import static dev.tuntas.saga.Step.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.engine.Engine;
import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.Status;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Step;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteEngineTest extends EngineOnStore {

  @TempDir Path folder;

  @Override
  Stores open() {
    return Stores.sqlite(folder, InstantSource.system());
  }

  /// Notes which threads commit.
  private static final class Committers implements EngineListener {
    final Queue<Thread> threads = new ConcurrentLinkedQueue<>();

    @Override
    public void committed(int entries, Duration took) {
      threads.add(Thread.currentThread());
    }
  }

  @Test
  void a_new_connection_can_write_unless_somebody_else_does() throws Exception {
    assertThat(stores.canWriteAnew()).isTrue();
    try (var somebody = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("tuntas.db"));
        var statement = somebody.createStatement()) {
      statement.execute("begin immediate");
      assertThat(stores.canWriteAnew()).isFalse();
    }
  }

  @Test
  void while_there_is_little_to_do_a_saga_is_written_by_the_thread_of_its_calls() throws Exception {
    Assumptions.assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "one core only");
    var saga = plain();
    var committers = new Committers();
    int byOne = 0;
    try (var engine = engine(saga).listener(committers).open()) {
      for (int i = 0; i < 50; i++) {
        committers.threads.clear();
        engine.start(saga, "o" + i, new Order("o" + i, ""));
        assertThat(engine.await("o" + i, LONG)).contains(Status.DONE);
        // Four, unless the disk stood still and a call came too late to be made.
        int versions = Math.toIntExact(engine.find("o" + i).orElseThrow().version());
        // Whoever finds the end in the store may be ahead of who wrote it.
        Eventually.until("all commits", () -> committers.threads.size() >= versions);
        var threads = List.copyOf(committers.threads);
        assertThat(threads).hasSize(versions);
        boolean isOne = new HashSet<>(threads).size() == 1 && threads.getFirst().isVirtual();
        if (isOne && versions == 4) byOne += 1;
      }
    }
    // A start that comes while the last commit is being told is left to a writer.
    assertThat(byOne).isPositive();
  }

  @Test
  void what_comes_while_a_call_writes_by_itself_is_written_at_once() throws Exception {
    Assumptions.assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "one core only");
    var saga = plain();
    var toStart = new AtomicReference<Runnable>();
    var meanwhile =
        new EngineListener() {
          @Override
          public void rested(SagaDefinition<?> ended, String id, Status status) {
            if (!Thread.currentThread().isVirtual()) return; // a writer would look again anyway
            var start = toStart.getAndSet(null);
            if (start != null) start.run();
          }
        };
    var nested = new ArrayList<Duration>();
    try (var engine = engine(saga).listener(meanwhile).open()) {
      for (int i = 0; i < 60; i++) {
        var other = "n" + i;
        toStart.set(() -> engine.startAsync(saga, other, new Order(other, "")));
        engine.start(saga, "o" + i, new Order("o" + i, ""));
        assertThat(engine.await("o" + i, LONG)).contains(Status.DONE);
        if (toStart.get() != null) continue; // a writer wrote all of it
        long begun = System.nanoTime();
        assertThat(engine.await(other, LONG)).contains(Status.DONE);
        nested.add(Duration.ofNanos(System.nanoTime() - begun));
      }
    }
    assertThat(nested).hasSizeGreaterThan(30);
    // A writer looks by itself every 200 ms: it has to be rung.
    nested.sort(null);
    assertThat(nested.get(nested.size() / 2)).isLessThan(Duration.ofMillis(100));
  }

  @Test
  void a_step_may_start_a_saga_and_wait_for_its_end() throws Exception {
    var inner = plain();
    var opened = new AtomicReference<Engine>();
    var outer =
        SagaDefinition.saga(
            "outer",
            1,
            Order.class,
            step("before", this::call).undo(this::call),
            Step.<Order>step(
                    "inside",
                    (order, _) -> {
                      var id = order.id() + "-inner";
                      opened.get().start(inner, id, new Order(id, ""));
                      var end = opened.get().await(id, LONG);
                      assertThat(end).contains(Status.DONE);
                      return Outcome.done(order);
                    })
                .timeout(LONG)
                .pivot());
    try (var engine = engine(inner, outer).open()) {
      opened.set(engine);
      engine.start(outer, "o1", new Order("o1", ""));
      assertThat(engine.await("o1", LONG)).contains(Status.DONE);
      assertThat(calls).hasSize(4);
    }
  }

  @Test
  void a_callers_own_connection_is_refused_because_it_would_block_the_only_writer()
      throws Exception {
    var saga = plain();
    try (var engine = engine(saga).open();
        var callers = DriverManager.getConnection("jdbc:sqlite::memory:")) {
      assertThatThrownBy(() -> engine.startIn(callers, saga, "o1", new Order("o1", "")))
          .hasMessageContaining("insertWith");
    }
  }
}
