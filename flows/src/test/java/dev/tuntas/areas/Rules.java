package dev.tuntas.areas;

/// Rules with something else in them.
final class Rules {

  private Rules() {}

  static AreaRules threshold(AreaRules rules, int waiting) {
    return new AreaRules(
        waiting,
        rules.dispatchTimeoutSec(),
        rules.orderLifetimeSec(),
        rules.retryIntervalSec(),
        rules.busyRetryIntervalSec(),
        rules.cooldownPeriodSec(),
        rules.enabled(),
        rules.priority(),
        rules.bypassEnabled(),
        rules.bypassLoyaltyLevels(),
        rules.maxBypassPercentage(),
        rules.thresholdsByTime(),
        rules.timeZone(),
        rules.estimatedWaitLimitSec());
  }
}
