package dev.tuntas.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.settings.LoadSettings;
import java.time.Duration;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LoadLimitTest {

  private static final LoadSettings SETTINGS = settings(16, 1024);

  static LoadSettings settings(int least, int most) {
    return new LoadSettings(least, most, Duration.ofMillis(100), 2_000, Duration.ofSeconds(1), 500);
  }

  @Test
  void no_more_than_the_limit_are_under_way() {
    var limit = new LoadLimit(SETTINGS);
    int entered = 0;
    while (limit.enter()) entered++;
    assertThat(entered).isEqualTo(limit.limit()).isEqualTo(limit.inFlight());
    limit.leave(1);
    assertThat(limit.enter()).isTrue();
    assertThat(limit.enter()).isFalse();
  }

  @Test
  void it_shrinks_while_requests_are_slow_but_not_below_its_least() {
    var limit = new LoadLimit(SETTINGS);
    for (int i = 0; i < 10_000; i++) serve(limit, Duration.ofSeconds(1));
    assertThat(limit.limit()).isEqualTo(16);
  }

  @Test
  void it_does_not_grow_without_demand() {
    var limit = new LoadLimit(SETTINGS);
    int before = limit.limit();
    for (int i = 0; i < 10_000; i++) serve(limit, Duration.ofMillis(1));
    assertThat(limit.limit()).isEqualTo(before);
  }

  @Test
  void it_grows_with_demand_to_its_most() {
    var limit = new LoadLimit(SETTINGS);
    for (int i = 0; i < 1000; i++) {
      int entered = 0;
      while (limit.enter()) entered++;
      for (int j = 0; j < entered; j++) limit.leave(Duration.ofMillis(1).toNanos());
    }
    assertThat(limit.limit()).isEqualTo(1024);
  }

  @Test
  void a_least_of_zero_lets_everybody_in() {
    var limit = new LoadLimit(settings(0, 1));
    for (int i = 0; i < 1000; i++) assertThat(limit.enter()).isTrue();
  }

  /// A machine that does 1000 requests a second, one after the other, is offered more and more.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 10})
  void what_is_let_in_is_done_in_time_however_much_is_offered(int times) {
    var limit = new LoadLimit(SETTINGS);
    var machine = new Machine(limit, Duration.ofMillis(1).toNanos());
    machine.offer(1000 * times, Duration.ofSeconds(20));
    assertThat(machine.done).isGreaterThan(18_000); // nine tenths of what it can do
    assertThat(machine.longestNanos).isLessThan(Duration.ofMillis(400).toNanos());
  }

  private static void serve(LoadLimit limit, Duration took) {
    assertThat(limit.enter()).isTrue();
    limit.leave(took.toNanos());
  }

  /// Serves requests in the order of their arrival, each for the same time.
  private static final class Machine {

    private record Running(long arrived, long ends) {}

    private final LoadLimit limit;
    private final long serviceNanos;
    private final PriorityQueue<Running> running =
        new PriorityQueue<>((a, b) -> Long.compare(a.ends, b.ends));
    private long freeAt;
    int done;
    long longestNanos;

    Machine(LoadLimit limit, long serviceNanos) {
      this.limit = limit;
      this.serviceNanos = serviceNanos;
    }

    void offer(int perSecond, Duration time) {
      long step = Duration.ofSeconds(1).toNanos() / perSecond;
      for (long now = 0; now < time.toNanos(); now += step) {
        finishUntil(now);
        if (!limit.enter()) continue;
        freeAt = Math.max(freeAt, now) + serviceNanos;
        running.add(new Running(now, freeAt));
      }
    }

    private void finishUntil(long now) {
      for (var next = running.peek(); next != null && next.ends <= now; next = running.peek()) {
        running.remove();
        long took = next.ends - next.arrived;
        longestNanos = Math.max(longestNanos, took);
        limit.leave(took);
        done++;
      }
    }
  }
}
