package dev.tuntas.bench.orders;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.tuntas.bench.orders.OrderWorld.Story;
import dev.tuntas.orders.Order;
import dev.tuntas.testkit.simulation.Exploration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

@Execution(ExecutionMode.CONCURRENT)
class OrderExplorationTest {

  @BeforeAll
  static void faultsAreMeant() {
    ((Logger) LoggerFactory.getLogger("dev.tuntas")).setLevel(Level.OFF);
  }

  private static Exploration<Order> of(Story story) {
    return Exploration.in((outside, random) -> new OrderWorld(story, outside, random));
  }

  @ParameterizedTest
  @EnumSource
  void no_crash_and_no_lost_reply_at_any_point_loses_money_or_goods(Story story) {
    var runs = of(story).crashEverywhere().pauseEverywhere().tally();
    assertThat(runs.done()).isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void neither_do_faults_of_all_kinds(Story story) {
    assertThat(of(story).seeds(150).tally().done()).isPositive();
  }
}
