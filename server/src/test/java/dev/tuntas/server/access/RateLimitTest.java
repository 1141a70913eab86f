package dev.tuntas.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RateLimitTest {

  private final AtomicLong nanos = new AtomicLong();

  @Test
  void a_burst_passes_and_then_so_many_a_second() {
    var limit = new RateLimit(200, 400, nanos::get);
    assertThat(passed(limit, "a", 1000)).isEqualTo(400);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(passed(limit, "a", 1000)).isEqualTo(200);
  }

  @Test
  void one_client_does_not_slow_down_another() {
    var limit = new RateLimit(1, 2, nanos::get);
    assertThat(passed(limit, "a", 10)).isEqualTo(2);
    assertThat(passed(limit, "b", 10)).isEqualTo(2);
  }

  @Test
  void who_must_wait_hears_how_long_and_waiting_is_enough() {
    var limit = new RateLimit(4, 1, nanos::get);
    limit.take("a");
    var wait = limit.take("a");
    assertThat(wait).isBetween(Duration.ofMillis(249), Duration.ofMillis(251));
    nanos.addAndGet(wait.toNanos());
    assertThat(limit.take("a")).isZero();
  }

  @Test
  void an_idle_client_saves_up_no_more_than_its_burst() {
    var limit = new RateLimit(100, 5, nanos::get);
    limit.take("a");
    nanos.addAndGet(Duration.ofHours(1).toNanos());
    assertThat(passed(limit, "a", 100)).isEqualTo(5);
  }

  @Test
  void no_second_holds_more_calls_than_a_partner_takes() {
    var limit = RateLimit.ofPartner(200, nanos::get);
    int calls = passed(limit, "a", 1000);
    for (int i = 0; i < 100; i++) {
      nanos.addAndGet(Duration.ofMillis(10).toNanos());
      calls += passed(limit, "a", 1000);
    }
    assertThat(calls).isEqualTo(200);
  }

  @Test
  void zero_a_second_limits_nobody() {
    assertThat(passed(new RateLimit(0, 1, nanos::get), "a", 10_000)).isEqualTo(10_000);
  }

  private static int passed(RateLimit limit, String client, int calls) {
    int passed = 0;
    for (int i = 0; i < calls; i++) if (limit.take(client).isZero()) passed++;
    return passed;
  }
}
