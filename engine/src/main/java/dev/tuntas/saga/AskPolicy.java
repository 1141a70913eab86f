package dev.tuntas.saga;

import java.time.Duration;

/// When to ask about an effect in doubt: first after `first`, then by `then`'s intervals, until the
/// step's give-up ends it.
public record AskPolicy(Duration first, RetryPolicy then) {

  public static AskPolicy patient() {
    return new AskPolicy(Duration.ofSeconds(2), RetryPolicy.patient());
  }

  public static AskPolicy firstAfter(Duration first) {
    return new AskPolicy(first, RetryPolicy.patient());
  }

  public AskPolicy then(RetryPolicy intervals) {
    return new AskPolicy(first, intervals);
  }
}
