package dev.tuntas.testkit.threads;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.engine.CallsThreads;
import dev.tuntas.engine.GroupCommitThreads;
import dev.tuntas.engine.Mistakes;
import dev.tuntas.engine.Stalling;
import dev.tuntas.testkit.simulation.BrokenStatements;
import dev.tuntas.testkit.simulation.EngineThreads;
import dev.tuntas.testkit.simulation.WellThreads;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The engine's own threads, and the test of that: every planted mistake is found.
class EngineThreadsTest {

  /// More of them: `-Dtuntas.threads.seeds=20000`.
  private static final int SEEDS = Integer.getInteger("tuntas.threads.seeds", 150);

  private static final int SEEDS_FOR_A_MISTAKE = 2_000;

  /// What is planted, and where it is looked for.
  enum Mistake {
    THE_THREAD_THAT_BEATS_WAITS_FOR_A_BEAT(EngineThreads.class, it -> it.with(Stalling.class)),
    A_BELL_FORGETS(
        WellThreads.class, it -> it.with(Mistakes.ABellForgets.class).pauses(Duration.ZERO)),
    THE_DEAD_GO_ON(EngineThreads.class, it -> it.with(Mistakes.TheDeadGoOn.class)),
    A_STATEMENT_THAT_FAILED_IS_USED_AGAIN(
        EngineThreads.class, it -> it.with(BrokenStatements.class)),
    AN_ANSWER_IS_HEARD_TWICE(CallsThreads.class, it -> it.with(Mistakes.LookThenSet.class)),
    BATCHES_ARE_TAKEN_WITHOUT_A_LOCK(
        GroupCommitThreads.class,
        it -> it.unlocked("dev.tuntas.engine.GroupCommit", "take", "takeNew", "repeat"));

    private final Class<? extends Scenario> place;
    private final UnaryOperator<ThreadExploration> planted;

    Mistake(Class<? extends Scenario> place, UnaryOperator<ThreadExploration> planted) {
      this.place = place;
      this.planted = planted;
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {GroupCommitThreads.class, CallsThreads.class})
  void its_parts_keep_their_promises(Class<? extends Scenario> part) {
    ThreadExploration.of(part).seeds(4 * SEEDS);
  }

  @Test
  void while_nothing_is_wrong_nobody_waits_for_a_poll() {
    ThreadExploration.of(WellThreads.class).pauses(Duration.ZERO).seeds(3 * SEEDS);
  }

  @Test
  void whatever_the_threads_do_everything_comes_to_its_end() {
    ThreadExploration.of(EngineThreads.class).seeds(SEEDS);
  }

  @ParameterizedTest
  @EnumSource
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD, unit = TimeUnit.SECONDS)
  void a_mistake_is_found(Mistake mistake) {
    var exploration = mistake.planted.apply(ThreadExploration.of(mistake.place));
    assertThatThrownBy(() -> exploration.seeds(SEEDS_FOR_A_MISTAKE))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("seed ");
  }
}
