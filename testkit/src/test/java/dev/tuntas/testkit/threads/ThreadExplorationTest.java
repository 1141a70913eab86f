package dev.tuntas.testkit.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.testkit.threads.scenarios.SmallScenarios;
import dev.tuntas.testkit.threads.scenarios.WaitsAsNobodyHere;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The scheduler itself: what is wrong in a few lines is found, what is right is not.
class ThreadExplorationTest {

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(SmallScenarios.LostUpdate.class, "an update was lost"),
        Arguments.of(SmallScenarios.CheckThenAct.class, "more was taken than there was"),
        Arguments.of(SmallScenarios.TwoLocksInTwoOrders.class, "deadlock: "),
        Arguments.of(SmallScenarios.WaitsForNobody.class, "nobody can go on: main waits for"),
        Arguments.of(SmallScenarios.GoesRoundAndRound.class, "goes on and on while no time passes"),
        Arguments.of(SmallScenarios.LeavesAThread.class, "others go on: other waits for its sleep"),
        Arguments.of(SmallScenarios.ThrowsElsewhere.class, "planned by nobody"),
        Arguments.of(WaitsAsNobodyHere.class, "uses what is not controlled"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void a_mistake_is_found(Class<? extends Scenario> scenario, String what) {
    var exploration = ThreadExploration.of(scenario);
    assertThatThrownBy(() -> exploration.seeds(2_000)).hasStackTraceContaining(what);
  }

  @Test
  void nothing_is_found_where_nothing_is_wrong() {
    ThreadExploration.of(SmallScenarios.NothingWrong.class).seeds(500);
  }

  @Test
  void a_seed_is_a_schedule() {
    var exploration = ThreadExploration.of(SmallScenarios.CheckThenAct.class);
    var first = storyOf(exploration);
    assertThat(first).contains("seed ").contains("CheckThenAct.take");
    assertThat(storyOf(ThreadExploration.of(SmallScenarios.CheckThenAct.class))).isEqualTo(first);
  }

  private static String storyOf(ThreadExploration exploration) {
    try {
      exploration.seeds(500);
      return "";
    } catch (AssertionError found) {
      return found.getMessage();
    }
  }
}
