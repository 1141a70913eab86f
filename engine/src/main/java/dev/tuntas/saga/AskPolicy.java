package dev.tuntas.saga;

import java.time.Duration;

/// When to ask about an effect in doubt: first after `first`, then by `then`'s intervals, until the
/// step's give-up ends it.
///
/// @param lasts how long what a question begins takes by itself. Unless that is nothing, every
///   other question begins something, and the one after it asks at its end what came of it; the
///   intervals lie between an end and the next beginning
public record AskPolicy(Duration first, Duration lasts, RetryPolicy then) {

  public static AskPolicy patient() {
    return firstAfter(Duration.ofSeconds(2));
  }

  public static AskPolicy firstAfter(Duration first) {
    return new AskPolicy(first, Duration.ZERO, RetryPolicy.patient());
  }

  public AskPolicy then(RetryPolicy intervals) {
    return new AskPolicy(first, lasts, intervals);
  }

  public AskPolicy lasting(Duration each) {
    return new AskPolicy(first, each, then);
  }

  /// The wait after question `n` (the first is 1), whose jitter is decided by `salt`.
  ///
  /// @param heard whether somebody was there to hear it: otherwise nothing has begun
  public Duration after(int n, long salt, boolean heard) {
    if (lasts.isZero()) return then.after(n, salt);
    return heard && begins(n) ? lasts : then.after(round(n), salt);
  }

  /// Whether question `n` begins something, where what it begins lasts.
  public static boolean begins(int n) {
    return n % 2 == 1;
  }

  /// How many have begun by question `n`, where what they begin lasts.
  public static int round(int n) {
    return (n + 1) / 2;
  }
}
