package dev.tuntas.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.bench.faults.Prober.Probe;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// The fault lasts from second 10 to second 20.
class ProberTest {

  private static final Probe AFTERWARDS = probe(21).accepted(second(22)).ended(second(23));

  private static long second(long at) {
    return TimeUnit.SECONDS.toNanos(at);
  }

  private static Probe probe(long askedAt) {
    return new Probe(second(askedAt));
  }

  private static double recovery(Probe... probes) {
    return Prober.recovery(List.of(probes), second(10), second(20)).orElse(Double.NaN);
  }

  @Test
  void orders_move_again_when_the_first_that_was_placed_after_the_healing_has_ended() {
    assertThat(recovery(probe(22).accepted(second(22)).ended(second(26)), AFTERWARDS)).isEqualTo(3);
  }

  @Test
  void those_that_were_accepted_during_the_fault_must_have_ended_too() {
    var meanwhile = probe(15).accepted(second(16));

    assertThat(recovery(meanwhile, AFTERWARDS)).isNaN();
    assertThat(recovery(meanwhile.ended(second(29)), AFTERWARDS)).isEqualTo(9);
  }

  @Test
  void it_is_not_enough_that_they_are_accepted() {
    assertThat(recovery(probe(21).accepted(second(22)))).isNaN();
  }

  @Test
  void those_that_were_refused_are_not_waited_for() {
    assertThat(recovery(probe(15), AFTERWARDS)).isEqualTo(3);
  }

  @Test
  void what_had_no_time_to_end_before_the_fault_was_over_is_not_counted() {
    var probes =
        List.of(
            probe(9).ended(second(11)),
            probe(10).ended(second(12)),
            probe(11).ended(second(21)),
            probe(12),
            probe(13).ended(second(19)),
            probe(17));

    assertThat(Prober.endedShare(probes, second(10), second(20))).isEqualTo(0.5);
    assertThat(Prober.endedShare(List.of(), second(10), second(20))).isEqualTo(1);
  }
}
