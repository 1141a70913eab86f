package dev.tuntas.bench;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What to measure, and where.
record BenchSettings(
    StoreKind store,
    Duration span,
    int inFlight,
    boolean peers,
    int preload,
    int waiting,
    @Nullable String url,
    @Nullable Path data) {

  /// Systems take turns in so many rounds, because a machine is not equally fast all the time.
  static final int ROUNDS = 3;

  /// A third of two processors went into compiling Java after five seconds still, and an eighth
  /// after one second of the next turn: the others in between make the compiler think again.
  private static final Duration WARM_UP_MAX = Duration.ofSeconds(15);

  private static final Duration WARM_UP_LATER = Duration.ofSeconds(4);
  private static final Duration PACED_MIN = Duration.ofSeconds(5);

  Duration round() {
    return span.dividedBy(ROUNDS);
  }

  Duration warmUp(int round) {
    var first = shorter(span.dividedBy(2), WARM_UP_MAX);
    return round == 1 ? first : shorter(first, WARM_UP_LATER);
  }

  /// As long as all rounds of a system together: the slowest hundredth of few is an accident.
  Duration paced() {
    return span.compareTo(PACED_MIN) > 0 ? span : PACED_MIN;
  }

  boolean loaded() {
    return preload > 0 || waiting > 0;
  }

  boolean needsPostgres() {
    return store == StoreKind.POSTGRES || peers;
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
