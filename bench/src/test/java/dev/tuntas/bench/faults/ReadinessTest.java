package dev.tuntas.bench.faults;

import static dev.tuntas.bench.faults.Readiness.wrongSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.bench.faults.Readiness.Look;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Customers come for a minute. Readiness is asked every quarter of a second.
class ReadinessTest {

  private static final List<Long> ALWAYS = writes(0, 60);
  private static final List<Long> NOT_FROM_20_TO_40 =
      LongStream.concat(LongStream.range(0, 21), LongStream.range(40, 60))
          .map(ReadinessTest::second)
          .boxed()
          .toList();

  private static long second(long at) {
    return TimeUnit.SECONDS.toNanos(at);
  }

  private static List<Long> writes(long from, long to) {
    return LongStream.range(from, to).map(ReadinessTest::second).boxed().toList();
  }

  private static List<Look> ready(long from, long to) {
    return LongStream.range(from * 4, to * 4)
        .mapToObj(quarter -> new Look(second(quarter) / 4, true))
        .toList();
  }

  private static double wrong(List<Look> looks, List<Long> writes) {
    return wrongSeconds(looks, writes, 0, second(60));
  }

  @Test
  void a_server_that_writes_is_ready() {
    assertThat(wrong(ready(0, 60), ALWAYS)).isZero();
  }

  @Test
  void it_has_five_seconds_to_notice_that_nothing_can_be_written() {
    assertThat(wrong(ready(0, 25), NOT_FROM_20_TO_40)).isZero();
    assertThat(wrong(ready(0, 30), NOT_FROM_20_TO_40)).isBetween(4.0, 5.0);
  }

  @Test
  void it_may_be_ready_a_moment_before_the_next_order() {
    assertThat(wrong(ready(38, 60), NOT_FROM_20_TO_40)).isZero();
    assertThat(wrong(ready(35, 60), NOT_FROM_20_TO_40)).isBetween(2.5, 3.5);
  }

  @Test
  void a_server_that_never_writes_again_is_never_ready() {
    assertThat(wrong(ready(0, 60), writes(0, 21))).isBetween(32.0, 34.0);
  }
}
