package dev.tuntas.testkit.simulation;

import static dev.tuntas.saga.Step.step;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Calls;
import dev.tuntas.engine.EngineNode;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.Next;
import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.ProgressCodec;
import dev.tuntas.engine.Transition;
import dev.tuntas.saga.Action;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

class SlowCommitTest {

  private final VirtualTime time = new VirtualTime();
  private final MemoryStore store = new MemoryStore(time);
  private long beatTakes;
  private final List<Runnable> losses = new ArrayList<>();
  private final List<Runnable> successes = new ArrayList<>();
  private final List<Callable<Outcome<?>>> calls = new ArrayList<>();
  private final AtomicInteger payments = new AtomicInteger();
  private final SagaDefinition<Integer> saga =
      SagaDefinition.saga(
          "slow",
          1,
          Integer.class,
          step("pay", this::pay).undo(this::pay).timeout(ofSeconds(2)).lane("bank"));
  private final EngineNode node = node();

  private Outcome<Integer> pay(Integer n, Call call) {
    payments.incrementAndGet();
    return Outcome.done(n);
  }

  @Test
  void a_call_that_waits_for_its_thread_is_not_made_once_the_process_may_count_as_dead()
      throws Exception {
    node.start(saga, "s", 1, _ -> {});
    node.flush();
    time.advanceTo(time.millis() + 2_499);
    assertThat(calls.getFirst().call()).isEqualTo(Outcome.done(1));
    assertThat(payments).hasValue(1);

    time.advanceTo(time.millis() + 1);
    assertThat(calls.getFirst().call()).isInstanceOf(Outcome.Failed.class);
    assertThat(payments).hasValue(1);
  }

  /// Found by seed 505938: charged twice, because "not found" was believed too early.
  @Test
  void a_call_may_be_under_way_for_its_timeout_after_it_went_out_not_after_it_was_decided() {
    node.start(saga, "s", 1, _ -> {});
    time.advanceTo(time.millis() + 1_500); // the commit takes this long
    node.flush();
    var calledAt = time.instant();
    losses.forEach(Runnable::run); // the connection breaks at once
    node.flush();

    var row = store.find("s").orElseThrow();
    var progress = ProgressCodec.decode(row.progress()).progress();
    assertThat(progress).isInstanceOf(Asking.class);
    assertThat(((Asking) progress).quietAt()).isEqualTo(calledAt.plusSeconds(2));
  }

  /// A beat counts from when it was begun: one that takes longer than calls may wait proves
  /// nothing.
  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
  void a_beat_that_comes_too_late_to_allow_calls_ends_all_the_same() {
    node.start(saga, "s", 1, _ -> {});
    time.advanceTo(time.millis() + 2_500);
    node.flush();
    assertThat(calls).as("no beat for too long").isEmpty();

    beatTakes = 2_500;
    node.beat();
    assertThat(calls).isEmpty();

    beatTakes = 0;
    node.beat();
    node.flush();
    assertThat(store.history("s").getLast().what())
        .as("it had its turn, and is decided anew because so much time has passed")
        .contains("NOT_SENT");
  }

  /// Permits come at a small pace to a partner that was away. What they were for is durable all at
  /// once.
  @Test
  void a_partner_that_is_back_is_not_called_by_all_at_once_after_a_commit_that_took_long() {
    for (int i = 0; i < 20; i++) node.start(saga, "down-" + i, i, _ -> {});
    node.flush();
    losses.forEach(Runnable::run);
    time.advanceTo(time.millis() + 1_000);
    node.beat();
    node.start(saga, "trial", 1, _ -> {});
    node.flush();
    successes.getLast().run();
    calls.clear();

    for (int i = 0; i < 20; i++) {
      node.start(saga, "s-" + i, i, _ -> {});
      time.advanceTo(time.millis() + 100);
      node.beat();
    }
    node.flush();
    assertThat(calls).as("ten a second").hasSizeBetween(1, 3);
    long end = time.millis() + 2_000;
    while (time.nextAt() <= end) time.step();
    assertThat(calls).hasSizeBetween(16, 20);
  }

  private EngineNode node() {
    var broken =
        new Calls() {
          @Override
          public <D> void make(
              Next.Make make, Action<D> action, D data, Consumer<Outcome<D>> report) {
            calls.add(() -> action.perform(data, make.call()));
            losses.add(() -> report.accept(Outcome.unclear("connection lost")));
            successes.add(() -> report.accept(Outcome.done(data)));
          }
        };
    var hands =
        new EngineNode.Hands(
            broken,
            (wait, task) -> time.after(wait.toMillis(), task),
            () -> time.millis() * 1_000_000,
            new Transition(),
            (_, _) -> {});
    var slow =
        new ForwardingStore(store) {
          @Override
          public Reading beat(int node) {
            time.advanceTo(time.millis() + beatTakes);
            return super.beat(node);
          }
        };
    return new EngineNode(EngineSetup.on(slow, new ReferenceCodec()).define(saga), hands);
  }
}
