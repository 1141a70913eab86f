package dev.tuntas.server.watch;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Vitals;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WatchdogTest {

  private long nanos = 7;
  private boolean goesOn = true;
  private boolean othersCan;
  private int asked;
  private final Watchdog dog = dog(ofSeconds(60));

  private Watchdog dog(Duration restartAfter) {
    return new Watchdog(
        () -> new Vitals(goesOn ? ZERO : ofSeconds(9), ZERO, ZERO, Map.of()),
        () -> {
          asked += 1;
          return othersCan;
        },
        restartAfter,
        () -> nanos);
  }

  /// Looks twice a second, until a fresh start is wanted or the time is over. Returns how long.
  private Duration watch(Watchdog by, int seconds) {
    for (int half = 0; half < 2 * seconds; half++) {
      if (by.look()) return Duration.ofMillis(500L * half);
      nanos += 500_000_000L;
    }
    return ofSeconds(seconds);
  }

  @Test
  void while_it_goes_on_nothing_is_asked() {
    assertThat(watch(dog, 600)).isEqualTo(ofSeconds(600));
    assertThat(dog.refuses()).isFalse();
    assertThat(dog.trouble()).isEmpty();
    assertThat(asked).isZero();
  }

  @Test
  void new_orders_are_refused_when_it_lasts() {
    goesOn = false;
    watch(dog, 4);
    assertThat(dog.trouble()).as("readiness says so at once").isPresent();
    assertThat(dog.refuses()).isFalse();
    watch(dog, 2);
    assertThat(dog.refuses()).isTrue();
    goesOn = true;
    watch(dog, 1);
    assertThat(dog.refuses()).isFalse();
  }

  @Test
  void an_outage_for_all_is_waited_out() {
    goesOn = false;
    assertThat(watch(dog, 3_600)).isEqualTo(ofSeconds(3_600));
  }

  @Test
  void who_alone_cannot_write_wants_a_fresh_start() {
    goesOn = false;
    othersCan = true;
    assertThat(watch(dog, 600)).isBetween(ofSeconds(60), ofSeconds(66));
  }

  @Test
  void after_an_outage_there_is_time_to_come_back_by_oneself() {
    goesOn = false;
    watch(dog, 120);
    othersCan = true;
    assertThat(watch(dog, 9)).as("it has just ended").isEqualTo(ofSeconds(9));
    goesOn = true;
    assertThat(watch(dog, 60)).isEqualTo(ofSeconds(60));
  }

  @Test
  void if_others_can_write_now_and_then_only_it_is_an_outage() {
    goesOn = false;
    for (int i = 0; i < 100; i++) {
      othersCan = i % 2 == 0;
      assertThat(watch(dog, 5)).isEqualTo(ofSeconds(5));
    }
  }

  @Test
  void it_can_be_told_to_wait_for_ever() {
    goesOn = false;
    othersCan = true;
    assertThat(watch(dog(ZERO), 3_600)).isEqualTo(ofSeconds(3_600));
    assertThat(asked).isZero();
  }
}
