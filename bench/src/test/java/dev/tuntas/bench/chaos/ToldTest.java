package dev.tuntas.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.bench.chaos.Told.Asked;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ToldTest {

  @Test
  void who_is_told_that_there_is_too_much_to_do_comes_again() {
    assertThat(refused(503, "overloaded").asksToComeAgain()).isTrue();
    assertThat(refused(503, "store_unavailable").asksToComeAgain()).isTrue();
    assertThat(refused(429, "rate_limited").asksToComeAgain()).isTrue();
  }

  @Test
  void who_is_told_that_the_area_is_full_goes_home() {
    assertThat(refused(503, "DISPATCHER_AREA_THRESHOLD_REACHED").asksToComeAgain()).isFalse();
  }

  private static Told refused(int status, String code) {
    var body = "{\"status\":%d,\"code\":\"%s\"}".formatted(status, code);
    return Told.of(Instant.EPOCH, Asked.PLACE, status, false, body);
  }
}
