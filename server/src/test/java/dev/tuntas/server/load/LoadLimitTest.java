package dev.tuntas.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.settings.LoadSettings;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
  void it_shrinks_while_a_queue_makes_requests_slow_but_not_below_its_least() {
    var limit = new LoadLimit(SETTINGS);
    for (int i = 0; i < 1_000; i++) fill(limit, entered -> Duration.ofSeconds(entered));
    assertThat(limit.limit()).isEqualTo(16);
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 900, 2_000})
  void it_does_not_shrink_because_the_database_is_far(int millis) {
    var limit = new LoadLimit(SETTINGS);
    int before = limit.limit();
    for (int i = 0; i < 10_000; i++) serve(limit, Duration.ofMillis(millis));
    assertThat(limit.limit()).isEqualTo(before);
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
    for (int i = 0; i < 1000; i++) fill(limit, _ -> Duration.ofMillis(1));
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

  /// A database that was near is far: each request takes longer, however few there are.
  @ParameterizedTest
  @CsvSource({"10, 300", "10, 2000", "40, 900", "100, 300", "100, 900", "300, 900"})
  void a_far_database_is_not_taken_for_a_queue(int perSecond, int millis) {
    var limit = new LoadLimit(SETTINGS);
    var machine = new Machine(limit, Duration.ofMillis(1).toNanos());
    machine.offer(perSecond, Duration.ofMinutes(1));
    machine.distance = Duration.ofMillis(millis);
    machine.offer(perSecond, Duration.ofSeconds(30)); // to find out what it is
    machine.refused = 0;
    machine.offer(perSecond, Duration.ofMinutes(1));
    assertThat(machine.refused).isZero();
    assertThat(limit.limit()).isGreaterThan(Math.max(16, perSecond * millis / 1000));
  }

  @Test
  void while_it_finds_out_that_the_database_is_far_most_are_let_in() {
    var limit = new LoadLimit(SETTINGS);
    var machine = new Machine(limit, Duration.ofMillis(1).toNanos());
    machine.distance = Duration.ofMillis(5);
    machine.offer(10, Duration.ofMinutes(1));
    machine.distance = Duration.ofMillis(2_000);
    machine.offer(10, Duration.ofMinutes(1));
    assertThat(machine.refused).isLessThan(30);
  }

  /// What a far database costs is no licence for a queue.
  @ParameterizedTest
  @ValueSource(ints = {2, 10})
  void with_a_far_database_too_much_is_refused_as_well(int times) {
    var limit = new LoadLimit(SETTINGS);
    var machine = new Machine(limit, Duration.ofMillis(10).toNanos());
    machine.distance = Duration.ofMillis(500);
    machine.offer(100 * times, Duration.ofMinutes(2));
    assertThat(machine.done).isGreaterThan(90 * 120);
    assertThat(machine.longestNanos).isLessThan(Duration.ofMillis(1_700).toNanos());
  }

  /// However long the overload lasts, what is slow because of it does not become the measure.
  @Test
  void what_is_allowed_does_not_creep_up_under_lasting_overload() {
    var limit = new LoadLimit(SETTINGS);
    var machine = new Machine(limit, Duration.ofMillis(5).toNanos());
    machine.offer(2_000, Duration.ofSeconds(30));
    for (int i = 0; i < 20; i++) {
      machine.longestNanos = 0;
      machine.offer(2_000, Duration.ofMinutes(1));
      assertThat(machine.longestNanos).isLessThan(Duration.ofMillis(250).toNanos());
    }
  }

  /// A machine that is too slow for the least is not given much more than that.
  @Test
  void a_machine_that_is_too_slow_for_the_least_gets_little_more() {
    var limit = new LoadLimit(SETTINGS);
    var machine = new Machine(limit, Duration.ofMillis(50).toNanos());
    for (int i = 0; i < 20; i++) {
      machine.offer(200, Duration.ofMinutes(1));
      assertThat(limit.limit()).isLessThan(48);
    }
  }

  @Test
  void once_the_database_is_near_again_a_queue_is_noticed_as_before() {
    var limit = new LoadLimit(SETTINGS);
    var machine = new Machine(limit, Duration.ofMillis(1).toNanos());
    machine.distance = Duration.ofMillis(900);
    machine.offer(100, Duration.ofMinutes(2));
    machine.distance = Duration.ZERO;
    machine.offer(100, Duration.ofSeconds(5));
    machine.longestNanos = 0;
    machine.offer(10_000, Duration.ofSeconds(20));
    assertThat(machine.longestNanos).isLessThan(Duration.ofMillis(400).toNanos());
  }

  private static void serve(LoadLimit limit, Duration took) {
    assertThat(limit.enter()).isTrue();
    limit.leave(took.toNanos());
  }

  /// As many as may come in, who are done together.
  private static void fill(LoadLimit limit, IntFunction<Duration> took) {
    int entered = 0;
    while (limit.enter()) entered++;
    for (int i = 0; i < entered; i++) limit.leave(took.apply(entered).toNanos());
  }

  /// Serves requests in the order of their arrival, each for the same time, and each waits for the
  /// database besides.
  private static final class Machine {

    private record Running(long arrived, long ends) {}

    private final LoadLimit limit;
    private final long serviceNanos;
    private final PriorityQueue<Running> running =
        new PriorityQueue<>((a, b) -> Long.compare(a.ends, b.ends));
    private long now;
    private long freeAt;
    Duration distance = Duration.ZERO;
    int done;
    int refused;
    long longestNanos;

    Machine(LoadLimit limit, long serviceNanos) {
      this.limit = limit;
      this.serviceNanos = serviceNanos;
    }

    void offer(int perSecond, Duration time) {
      long step = Duration.ofSeconds(1).toNanos() / perSecond;
      for (long end = now + time.toNanos(); now < end; now += step) {
        finishUntil(now);
        if (!limit.enter()) {
          refused++;
          continue;
        }
        freeAt = Math.max(freeAt, now) + serviceNanos;
        running.add(new Running(now, freeAt + distance.toNanos()));
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
