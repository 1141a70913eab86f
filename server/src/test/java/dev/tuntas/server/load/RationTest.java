package dev.tuntas.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RationTest {

  private final Ration ration = new Ration(2_000);

  @ParameterizedTest
  @CsvSource({"0, 100", "1000, 100", "1250, 75", "1500, 50", "1900, 10", "2000, 0", "60000, 0"})
  void the_more_are_worked_on_the_fewer_come_in(int open, long expected) {
    ration.follow(() -> open);

    assertThat(IntStream.range(0, 100).filter(_ -> ration.lets()).count())
        .isBetween(expected - 1, expected + 1);
  }

  /// A machine that finishes a hundred per tick, offered any number of times that.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 10})
  void as_many_come_in_as_are_finished(int load) {
    var line = new int[1];
    ration.follow(() -> line[0]);
    int finished = 0;
    for (int tick = 0; tick < 1_000; tick++) {
      for (int i = 0; i < 100 * load; i++) if (ration.lets()) line[0]++;
      assertThat(line[0]).isLessThanOrEqualTo(2_000);
      int now = Math.min(100, line[0]);
      line[0] -= now;
      finished += now;
    }
    assertThat(finished).isEqualTo(100_000);
  }
}
