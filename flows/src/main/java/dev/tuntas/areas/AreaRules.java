package dev.tuntas.areas;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What holds for one service in one area. Names are those of the API.
///
/// @param thresholdsByTime the first that matches the time of day stands for `maxWaitingOrders`
/// @param timeZone where the time of day is told
/// @param estimatedWaitLimitSec if given, no more orders wait than recent assignments would serve
///   in this time
public record AreaRules(
    int maxWaitingOrders,
    int dispatchTimeoutSec,
    int orderLifetimeSec,
    int retryIntervalSec,
    int busyRetryIntervalSec,
    int cooldownPeriodSec,
    boolean enabled,
    int priority,
    boolean bypassEnabled,
    SortedSet<Loyalty> bypassLoyaltyLevels,
    int maxBypassPercentage,
    List<DayTime> thresholdsByTime,
    String timeZone,
    @Nullable Integer estimatedWaitLimitSec) {

  public static final int WAITING_MAX = 1_000_000;
  public static final int PERCENT_MAX = 1_000;
  public static final int DAY_SEC = 86_400;
  public static final int DAY_TIMES_MAX = 24;

  private static final AreaRules DEFAULTS =
      new AreaRules(
          100,
          120,
          1800,
          15,
          60,
          60,
          true,
          0,
          true,
          new TreeSet<>(List.of(Loyalty.ELITE, Loyalty.VOYAGER)),
          20,
          List.of(),
          "Asia/Jakarta",
          null);

  public AreaRules {
    bypassLoyaltyLevels = Collections.unmodifiableSortedSet(new TreeSet<>(bypassLoyaltyLevels));
    thresholdsByTime = List.copyOf(thresholdsByTime);
  }

  /// What holds where nobody said otherwise.
  public static AreaRules defaults() {
    return DEFAULTS;
  }

  /// A number that must lie in a range, by its name in the API.
  private record Range(String field, int value, int least, int most) {}

  /// What is wrong with a field, as a sentence.
  public record Flaw(String field, String sentence) {}

  /// Why these rules cannot be, or nothing.
  public Optional<Flaw> flaw() {
    var ranges =
        List.of(
            new Range("max_waiting_orders", maxWaitingOrders, 0, WAITING_MAX),
            new Range("dispatch_timeout_sec", dispatchTimeoutSec, 1, DAY_SEC),
            new Range("order_lifetime_sec", orderLifetimeSec, 1, DAY_SEC),
            new Range("retry_interval_sec", retryIntervalSec, 1, DAY_SEC),
            new Range("busy_retry_interval_sec", busyRetryIntervalSec, 1, DAY_SEC),
            new Range("cooldown_period_sec", cooldownPeriodSec, 0, DAY_SEC),
            new Range("priority", priority, -Area.PRIORITY_MAX, Area.PRIORITY_MAX),
            new Range("max_bypass_percentage", maxBypassPercentage, 0, PERCENT_MAX));
    for (var range : ranges) {
      if (range.value < range.least || range.value > range.most) {
        return flaw(range.field, "It must be between " + range.least + " and " + range.most + ".");
      }
    }
    if (dispatchTimeoutSec > orderLifetimeSec) {
      return flaw("dispatch_timeout_sec", "An attempt cannot last longer than order_lifetime_sec.");
    }
    if (estimatedWaitLimitSec != null
        && (estimatedWaitLimitSec < 1 || estimatedWaitLimitSec > DAY_SEC)) {
      return flaw("estimated_wait_limit_sec", "It must be between 1 and " + DAY_SEC + ".");
    }
    if (!ZoneId.getAvailableZoneIds().contains(timeZone)) {
      return flaw("time_zone", "It must be the name of a time zone such as Asia/Jakarta.");
    }
    if (thresholdsByTime.size() > DAY_TIMES_MAX) {
      return flaw("thresholds_by_time", "There are at most " + DAY_TIMES_MAX + " of them.");
    }
    return thresholdsByTime.stream()
        .flatMap(time -> time.flaw().stream())
        .findFirst()
        .map(sentence -> new Flaw("thresholds_by_time", sentence));
  }

  private static Optional<Flaw> flaw(String field, String sentence) {
    return Optional.of(new Flaw(field, sentence));
  }

  /// How many orders may wait now, when so many were assigned in each second lately.
  long thresholdAt(Instant now, double assignedPerSecond) {
    var time = now.atZone(ZoneId.of(timeZone)).toLocalTime();
    long wanted =
        thresholdsByTime.stream()
            .filter(it -> it.holds(time))
            .findFirst()
            .map(DayTime::maxWaitingOrders)
            .orElse(maxWaitingOrders);
    // An area where nothing was assigned lately tells nothing: it may only be quiet.
    if (estimatedWaitLimitSec == null || assignedPerSecond <= 0) return wanted;
    return Math.min(wanted, Math.max(1, (long) (assignedPerSecond * estimatedWaitLimitSec)));
  }

  /// How many orders may wait when those of loyal customers come on top; 100 and 20 % are 120.
  long withBypass(long threshold) {
    return bypassEnabled ? threshold + threshold * maxBypassPercentage / 100 : threshold;
  }

  boolean lets(Loyalty loyalty) {
    return bypassEnabled && bypassLoyaltyLevels.contains(loyalty);
  }

  Duration cooldown() {
    return Duration.ofSeconds(cooldownPeriodSec);
  }
}
