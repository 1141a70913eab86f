package dev.tuntas.bench.scenario;

import dev.tuntas.orders.RideSaga;
import java.time.Duration;

/// How often the partner would be asked by somebody who does not wait for callbacks: at once, and
/// then with the same pauses until the job is there.
final class Baseline {

  private Baseline() {}

  /// @param assigned how long after the booking's answer the partner had the job
  static int questions(Duration assigned, long salt) {
    int asked = 1;
    var at = Duration.ZERO;
    while (at.compareTo(assigned) < 0) {
      at = at.plus(RideSaga.POLLS.after(asked, salt));
      asked++;
    }
    return asked;
  }
}
