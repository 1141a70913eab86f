package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// What came of one fault.
///
/// @param skipped why it was not run; null if it was
/// @param seen what customers saw while it lasted
/// @param recoverySeconds how long after the healing orders moved again; empty if they never did
/// @param readyWrongly for how many seconds the server said it was ready while nothing was written
/// @param restarts how often the server ended by itself and was started again
/// @param complaints what else was wrong, in sentences
record FaultResult(
    Fault fault,
    StoreKind store,
    @Nullable String skipped,
    Sightings seen,
    OptionalDouble recoverySeconds,
    double readyWrongly,
    double linesPerSecond,
    Books books,
    int restarts,
    List<String> complaints) {

  private static final double RECOVERY_SECONDS_MAX = 15;

  /// What the reckoning found.
  record Books(long orders, long lost, long doubled, long stuck, long violations) {

    static final Books NONE = new Books(0, 0, 0, 0, 0);
  }

  FaultResult {
    complaints = List.copyOf(complaints);
  }

  static FaultResult skipped(Fault fault, StoreKind store, String why) {
    return new FaultResult(
        fault, store, why, Sightings.none(), OptionalDouble.of(0), 0, 0, Books.NONE, 0, List.of());
  }

  /// One that could not be carried through.
  static FaultResult broken(Fault fault, StoreKind store, String why) {
    return new FaultResult(
        fault,
        store,
        null,
        Sightings.none(),
        OptionalDouble.empty(),
        0,
        0,
        Books.NONE,
        0,
        List.of(why));
  }

  /// What is wrong, in sentences.
  List<String> wrong() {
    var wrong = new ArrayList<String>();
    if (recoverySeconds.isEmpty()) wrong.add("Orders did not move again.");
    else if (recoverySeconds.getAsDouble() > RECOVERY_SECONDS_MAX) {
      wrong.add("Orders moved again after more than %.0f s.".formatted(RECOVERY_SECONDS_MAX));
    }
    if (readyWrongly > 0) {
      wrong.add(
          "Readiness was 200 for %.1f s while nothing could be written.".formatted(readyWrongly));
    }
    if (books.stuck > 0) {
      wrong.add(books.stuck + " orders did not end until the server was started again by hand.");
    }
    wrong.addAll(complaints);
    return wrong;
  }

  boolean isFine() {
    return wrong().isEmpty() && books.violations == 0;
  }
}
