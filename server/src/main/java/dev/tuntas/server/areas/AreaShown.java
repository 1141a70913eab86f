package dev.tuntas.server.areas;

import dev.tuntas.areas.Area;
import dev.tuntas.areas.AreaDesk.Standing;
import dev.tuntas.areas.AreaHistory.Stretch;
import dev.tuntas.areas.AreaOverride;
import dev.tuntas.areas.AreaRules;
import dev.tuntas.areas.DayTime;
import dev.tuntas.areas.Flags;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Areas as operators see them.
final class AreaShown {

  private AreaShown() {}

  static Map<String, @Nullable Object> area(Area area, Map<String, AreaRules> rules) {
    var shown = new LinkedHashMap<String, @Nullable Object>();
    shown.put("area_id", area.id());
    shown.put("name", area.name());
    shown.put("geofence", area.geofence() == null ? null : area.geofence().shown());
    shown.put("geohash", area.geohash());
    shown.put("service_type", area.services());
    shown.put("priority", area.priority());
    shown.put("enabled", area.enabled());
    shown.put(
        "thresholds",
        rules.entrySet().stream().map(it -> rules(it.getKey(), it.getValue())).toList());
    return shown;
  }

  static Map<String, @Nullable Object> rules(String service, AreaRules rules) {
    var shown = new LinkedHashMap<String, @Nullable Object>();
    shown.put("service_type", service);
    shown.put("max_waiting_orders", rules.maxWaitingOrders());
    shown.put("dispatch_timeout_sec", rules.dispatchTimeoutSec());
    shown.put("order_lifetime_sec", rules.orderLifetimeSec());
    shown.put("retry_interval_sec", rules.retryIntervalSec());
    shown.put("busy_retry_interval_sec", rules.busyRetryIntervalSec());
    shown.put("cooldown_period_sec", rules.cooldownPeriodSec());
    shown.put("enabled", rules.enabled());
    shown.put("priority", rules.priority());
    shown.put("bypass_enabled", rules.bypassEnabled());
    shown.put("bypass_loyalty_levels", rules.bypassLoyaltyLevels().reversed());
    shown.put("max_bypass_percentage", rules.maxBypassPercentage());
    shown.put(
        "thresholds_by_time", rules.thresholdsByTime().stream().map(AreaShown::time).toList());
    shown.put("time_zone", rules.timeZone());
    shown.put("estimated_wait_limit_sec", rules.estimatedWaitLimitSec());
    return shown;
  }

  private static Map<String, Object> time(DayTime time) {
    return Map.of(
        "from", time.from(), "to", time.to(), "max_waiting_orders", time.maxWaitingOrders());
  }

  static Map<String, @Nullable Object> status(Standing standing, boolean open, Instant now) {
    var load = standing.load();
    long threshold = load.thresholdAt(now);
    var shown = new LinkedHashMap<String, @Nullable Object>();
    shown.put("area_id", load.area().id());
    shown.put("name", load.area().name());
    shown.put("service_type", load.service());
    shown.put("waiting_count", load.waiting());
    shown.put("threshold", threshold);
    shown.put("max_with_bypass", load.maxWithBypassAt(now));
    shown.put("utilization", threshold == 0 ? 1.0 : (double) load.waiting() / threshold);
    shown.put("status", open ? "AVAILABLE" : "SERVER_BUSY");
    shown.put("override", override(load.overrideAt(now)));
    shown.put("estimated_wait_time_sec", load.estimatedWait().toSeconds());
    shown.put("oldest_waiting_since", standing.oldestWaitingSince());
    shown.put("last_updated", now);
    return shown;
  }

  static @Nullable Map<String, @Nullable Object> override(@Nullable AreaOverride override) {
    if (override == null) return null;
    var shown = new LinkedHashMap<String, @Nullable Object>();
    shown.put("status", override.status().name());
    shown.put("reason", override.reason());
    shown.put("expires_at", override.expiresAt());
    return shown;
  }

  static Map<String, Object> flags(Flags flags) {
    var busy = new LinkedHashMap<String, Object>();
    busy.put("enabled", flags.serverBusy().enabled());
    busy.put("enabled_areas", flags.serverBusy().enabledAreas());
    busy.put("enabled_channels", flags.serverBusy().enabledChannels());
    busy.put("shadow_mode", flags.serverBusy().shadowMode());
    var retrieval = new LinkedHashMap<String, Object>();
    retrieval.put("enabled", flags.proactiveRetrieval().enabled());
    retrieval.put("percentage", flags.proactiveRetrieval().percentage());
    var shown = new LinkedHashMap<String, Object>();
    shown.put("server_busy", busy);
    shown.put("proactive_retrieval", retrieval);
    return shown;
  }

  static Map<String, Object> stretch(Stretch it) {
    var shown = new LinkedHashMap<String, Object>();
    shown.put("at", it.at());
    shown.put("service_type", it.service());
    shown.put("waiting_mean", it.waitingMean());
    shown.put("waiting_max", it.waitingMost());
    shown.put("threshold", it.threshold());
    shown.put("accepted", it.taken());
    shown.put("bypassed", it.bypassed());
    shown.put("assigned", it.assigned());
    shown.put("cancelled_user", it.cancelledUser());
    shown.put("cancelled_timeout", it.cancelledTimeout());
    shown.put("ended_otherwise", it.endedOtherwise());
    shown.put("refused", it.refused());
    return shown;
  }

  /// The hours of the day, fullest first.
  static List<Map<String, Object>> peakHours(List<Stretch> hours, ZoneId zone) {
    var byHour = new TreeMap<Integer, Hour>();
    for (var it : hours) {
      byHour.merge(it.at().atZone(zone).getHour(), Hour.of(it), Hour::plus);
    }
    return byHour.entrySet().stream()
        .sorted(
            Comparator.comparingDouble(
                entry -> -entry.getValue().waiting / entry.getValue().stretches))
        .map(entry -> entry.getValue().shown(entry.getKey()))
        .toList();
  }

  private record Hour(
      double waiting,
      int stretches,
      long most,
      long refused,
      long byUser,
      long byTime,
      long ended) {

    static Hour of(Stretch it) {
      return new Hour(
          it.waitingMean(),
          1,
          it.waitingMost(),
          it.refused(),
          it.cancelledUser(),
          it.cancelledTimeout(),
          it.assigned() + it.cancelledUser() + it.cancelledTimeout() + it.endedOtherwise());
    }

    Hour plus(Hour other) {
      return new Hour(
          waiting + other.waiting,
          stretches + other.stretches,
          Math.max(most, other.most),
          refused + other.refused,
          byUser + other.byUser,
          byTime + other.byTime,
          ended + other.ended);
    }

    Map<String, Object> shown(int hour) {
      var shown = new LinkedHashMap<String, Object>();
      shown.put("hour", hour);
      shown.put("waiting_mean", waiting / stretches);
      shown.put("waiting_max", most);
      shown.put("refused", refused);
      shown.put("cancelled_user", byUser);
      shown.put("cancelled_timeout", byTime);
      shown.put("cancel_rate", ended == 0 ? 0.0 : (double) (byUser + byTime) / ended);
      return shown;
    }
  }
}
