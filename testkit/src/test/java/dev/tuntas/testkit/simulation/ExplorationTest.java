package dev.tuntas.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExplorationTest {

  static Stream<SagaDefinition<Integer>> sagas() {
    return Stream.of(
        Sagas.booking(),
        Sagas.waiting(),
        Sagas.optional(),
        Sagas.withoutPivot(),
        Sagas.withLanes());
  }

  @ParameterizedTest
  @MethodSource("sagas")
  void a_crash_or_a_lost_reply_anywhere_loses_nothing(SagaDefinition<Integer> saga) {
    var tally = Exploration.of(saga, n -> n).crashEverywhere().tally();
    assertThat(tally.runs()).isGreaterThan(20);
  }

  @ParameterizedTest
  @MethodSource("sagas")
  void two_of_them_anywhere_lose_nothing(SagaDefinition<Integer> saga) {
    var tally = Exploration.of(saga, n -> n).crashTwice().tally();
    assertThat(tally.runs()).isGreaterThan(300);
  }

  @ParameterizedTest
  @MethodSource("sagas")
  void a_process_may_stand_still_at_any_moment(SagaDefinition<Integer> saga) {
    Exploration.of(saga, n -> n).pauseEverywhere();
  }

  @ParameterizedTest
  @MethodSource("sagas")
  void seeds_with_all_faults_keep_every_promise(SagaDefinition<Integer> saga) {
    var tally = Exploration.of(saga, n -> n).seeds(200).tally();
    assertThat(tally.done()).isPositive();
  }

  @Test
  void the_order_of_signals_makes_no_difference() {
    Exploration.of(Sagas.waiting(), n -> n)
        .sameEndInEveryOrder(
            Sagas.payment("1", "paid"),
            Sagas.payment("1", "paid"),
            Sagas.payment("2", "paid"),
            Sagas.payment("3", "pending"),
            new Signal("shop", "4", "nobody-waits-for-this", ""));
    Exploration.of(Sagas.booking(), n -> n)
        .sameEndInEveryOrder(
            new Signal("bank", "1", "paid", ""),
            new Signal("bank", "2", "paid", ""),
            new Signal("bank", "3", "paid", "pending"),
            new Signal("bank", "3", "paid", "pending"));
  }

  @Test
  void contradictory_signals_leave_nothing_behind() {
    var tally =
        Exploration.of(Sagas.waiting(), n -> n)
            .signalsInEveryOrder(
                Sagas.payment("1", "paid"),
                Sagas.payment("2", "declined"),
                Sagas.payment("2", "declined"),
                Sagas.payment("3", "pending"))
            .tally();
    assertThat(tally.done()).isPositive().isLessThan(tally.runs());
  }
}
