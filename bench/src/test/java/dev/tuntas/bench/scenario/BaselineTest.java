package dev.tuntas.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BaselineTest {

  @Test
  void a_job_that_is_there_is_asked_for_once() {
    assertThat(Baseline.questions(Duration.ZERO, 1)).isOne();
  }

  @ParameterizedTest
  @CsvSource({"1000, 2", "100000, 7", "750000, 18"})
  void the_pauses_double_up_to_a_minute(long assignedMs, int questions) {
    int counted = Baseline.questions(Duration.ofMillis(assignedMs), 1);

    assertThat(counted).isBetween(questions - 2, questions + 2);
  }
}
