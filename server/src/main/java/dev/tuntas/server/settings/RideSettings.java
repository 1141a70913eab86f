package dev.tuntas.server.settings;

import dev.tuntas.rides.Trip;
import dev.tuntas.support.RefundPolicy;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// How long a ride waits for its job id, how the pauses between attempts to find a driver grow, and
/// who gives back what was paid for one that was given up.
///
/// @param newsWait how long nobody may tell of a driver before the partner is asked
public record RideSettings(
    @DefaultValue("5s") Duration initialWait,
    @DefaultValue("30m") Duration maxElapsed,
    @DefaultValue("fixed") Backoff retryBackoff,
    @DefaultValue("2m") Duration newsWait,
    @DefaultValue("manual") RefundPolicy refund) {

  /// How pauses grow.
  public enum Backoff {
    FIXED,
    /// Twice as long as the one before, up to four times the first.
    EXPONENTIAL
  }

  private static final int LONGEST = 4;

  public RideSettings {
    Limits.positive("ride.initial-wait", initialWait);
    Limits.positive("ride.max-elapsed", maxElapsed);
    Limits.positive("ride.news-wait", newsWait);
  }

  /// How drivers are looked for where an attempt lasts so long and the next one begins so much
  /// later.
  public Trip.Attempts attempts(Duration lasts, Duration pause) {
    boolean grows = retryBackoff == Backoff.EXPONENTIAL;
    return new Trip.Attempts(lasts, pause, grows ? pause.multipliedBy(LONGEST) : pause);
  }
}
