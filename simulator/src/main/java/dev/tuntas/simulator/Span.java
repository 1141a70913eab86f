package dev.tuntas.simulator;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/// A time between two others, in milliseconds, each as likely as any other.
public record Span(long leastMs, long mostMs) {

  public Span {
    if (leastMs < 0 || mostMs < leastMs) {
      throw new IllegalArgumentException("a span goes from the least to the most");
    }
  }

  static Span always(long ms) {
    return new Span(ms, ms);
  }

  Duration drawn(RandomGenerator chance) {
    return Duration.ofMillis(leastMs == mostMs ? leastMs : chance.nextLong(leastMs, mostMs + 1));
  }

  List<Long> told() {
    return List.of(leastMs, mostMs);
  }
}
