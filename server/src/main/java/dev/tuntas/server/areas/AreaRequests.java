package dev.tuntas.server.areas;

import dev.tuntas.areas.Area;
import dev.tuntas.areas.AreaOverride;
import dev.tuntas.areas.AreaRules;
import dev.tuntas.areas.DayTime;
import dev.tuntas.areas.Flags;
import dev.tuntas.areas.Geofence;
import dev.tuntas.areas.Loyalty;
import dev.tuntas.server.http.Fields;
import dev.tuntas.server.http.Problem;
import java.time.Instant;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What operators may say about areas.
final class AreaRequests {

  private static final int NAME_MAX = 100;
  private static final int REASON_MAX = 500;
  private static final int LIST_MAX = 1_000;

  private AreaRequests() {}

  static Area area(String id, Fields fields) {
    var name = fields.text("name", NAME_MAX);
    var fence = geofence(fields);
    var geohash = fields.ids("geohash", 0, Area.GEOHASHES_MAX);
    var services = new TreeSet<>(fields.ids("service_type", 1, Area.SERVICES_MAX));
    var priority =
        fields.optionalWholeNumber("priority", -Area.PRIORITY_MAX, Area.PRIORITY_MAX).orElse(0L);
    boolean enabled = fields.optionalFlag("enabled").orElse(true);
    fields.finish();
    try {
      return new Area(id, name, fence, geohash, services, priority.intValue(), enabled);
    } catch (IllegalArgumentException e) {
      throw Problem.of(422, "area_invalid", sentence(e)).asException();
    }
  }

  private static @Nullable Geofence geofence(Fields fields) {
    var json = fields.raw("geofence");
    if (json.isEmpty()) return null;
    try {
      return Geofence.read(json.get());
    } catch (IllegalArgumentException e) {
      fields.refuse("geofence", "area_invalid", sentence(e));
      return null;
    }
  }

  private static String sentence(IllegalArgumentException e) {
    var sentence = e.getMessage();
    return sentence == null ? "There can be no such area." : sentence;
  }

  /// What is to change in the rules of one service. What is not named stays.
  record RulesPatch(String service, Fields fields) {

    static RulesPatch read(Fields fields) {
      return new RulesPatch(AvailabilityController.service(fields, "service_type"), fields);
    }

    /// Ends the request if a field is wrong by itself, whatever the rules are.
    RulesPatch checked() {
      var _ = new Patched(fields, AreaRules.defaults()).rules();
      fields.finish();
      return this;
    }

    /// The rules after this, or the end of the request if they do not fit together.
    AreaRules applied(AreaRules before) {
      var after = new Patched(fields, before).rules();
      after
          .flaw()
          .ifPresent(
              flaw -> {
                throw Problem.at(422, "/" + flaw.field(), "out_of_range", flaw.sentence())
                    .asException();
              });
      return after;
    }
  }

  private record Patched(Fields fields, AreaRules before) {

    AreaRules rules() {
      return new AreaRules(
          number("max_waiting_orders", 0, AreaRules.WAITING_MAX, before.maxWaitingOrders()),
          seconds("dispatch_timeout_sec", 1, before.dispatchTimeoutSec()),
          lifetime(),
          seconds("retry_interval_sec", 1, before.retryIntervalSec()),
          seconds("busy_retry_interval_sec", 1, before.busyRetryIntervalSec()),
          seconds("cooldown_period_sec", 0, before.cooldownPeriodSec()),
          fields.optionalFlag("enabled").orElse(before.enabled()),
          number("priority", -Area.PRIORITY_MAX, Area.PRIORITY_MAX, before.priority()),
          fields.optionalFlag("bypass_enabled").orElse(before.bypassEnabled()),
          levels(),
          number("max_bypass_percentage", 0, AreaRules.PERCENT_MAX, before.maxBypassPercentage()),
          times(),
          fields.optionalText("time_zone", 64).orElse(before.timeZone()),
          waitLimit());
    }

    /// Whatever is no number in the range is told with one code.
    private int number(String name, int least, int most, int otherwise) {
      if (fields.raw(name).filter(value -> !value.isNumber()).isPresent()) {
        fields.refuse(
            name, "out_of_range", "It must be a number between " + least + " and " + most + ".");
        return otherwise;
      }
      return fields.optionalWholeNumber(name, least, most).orElse((long) otherwise).intValue();
    }

    private int seconds(String name, int least, int otherwise) {
      return number(name, least, AreaRules.DAY_SEC, otherwise);
    }

    /// The document has two names for it.
    private int lifetime() {
      int lifetime = seconds("order_lifetime_sec", 1, before.orderLifetimeSec());
      if (!fields.has("waiting_timeout_sec")) return lifetime;
      if (fields.has("order_lifetime_sec")) {
        fields.refuse(
            "waiting_timeout_sec", "out_of_range", "It is another name of order_lifetime_sec.");
      }
      return seconds("waiting_timeout_sec", 1, lifetime);
    }

    private SortedSet<Loyalty> levels() {
      var names = fields.ids("bypass_loyalty_levels", 0, Loyalty.values().length);
      if (!fields.has("bypass_loyalty_levels")) return before.bypassLoyaltyLevels();
      var levels = new TreeSet<Loyalty>();
      for (var name : names) {
        var level = Loyalty.of(name);
        if (!level.name().equals(name)) {
          fields.refuse(
              "bypass_loyalty_levels",
              "out_of_range",
              "The levels are EXPLORER, TRAVELER, VOYAGER and ELITE.");
        }
        levels.add(level);
      }
      return levels;
    }

    private List<DayTime> times() {
      var times = fields.objects("thresholds_by_time", 0, AreaRules.DAY_TIMES_MAX, "out_of_range");
      if (!fields.has("thresholds_by_time")) return before.thresholdsByTime();
      return times.stream()
          .map(
              time ->
                  new DayTime(
                      time.text("from", 5),
                      time.text("to", 5),
                      (int) time.wholeNumber("max_waiting_orders", 0, AreaRules.WAITING_MAX)))
          .toList();
    }

    /// 0 turns it off.
    private @Nullable Integer waitLimit() {
      var given = fields.optionalWholeNumber("estimated_wait_limit_sec", 0, AreaRules.DAY_SEC);
      if (given.isEmpty()) return before.estimatedWaitLimitSec();
      return given.get() == 0 ? null : Integer.valueOf(given.get().intValue());
    }
  }

  /// What is decided about an area.
  ///
  /// @param services none means all
  /// @param override null ends the one there is
  record OverrideRequest(List<String> services, @Nullable AreaOverride override) {

    private enum Word {
      FORCE_BUSY,
      FORCE_AVAILABLE,
      AUTO
    }

    static OverrideRequest read(Fields fields, Instant now) {
      var services =
          fields.has("service_type")
              ? List.of(AvailabilityController.service(fields, "service_type"))
              : List.<String>of();
      var word = fields.oneOf("status", Word.class);
      var reason = reason(fields, word);
      var expiresAt = fields.optionalTime("expires_at").orElse(null);
      if (expiresAt != null && !expiresAt.isAfter(now)) {
        fields.refuse("expires_at", "time_invalid", "It is in the past.");
      }
      fields.finish();
      return new OverrideRequest(
          services,
          switch (word) {
            case AUTO -> null;
            case FORCE_BUSY -> new AreaOverride(AreaOverride.Status.FORCE_BUSY, reason, expiresAt);
            case FORCE_AVAILABLE ->
                new AreaOverride(AreaOverride.Status.FORCE_AVAILABLE, reason, expiresAt);
          });
    }

    /// An override without a reason would be a riddle for the next shift.
    private static String reason(Fields fields, Word word) {
      var given = fields.raw("reason");
      boolean blank =
          given.isEmpty() || given.get().isString() && given.get().stringValue().isBlank();
      if (!blank) return fields.text("reason", REASON_MAX);
      if (word != Word.AUTO) fields.refuse("reason", "reason_required", "Say why.");
      return "";
    }
  }

  static Flags flags(Fields fields, Flags before) {
    var busy =
        fields
            .optionalObject("server_busy")
            .map(it -> serverBusy(it, before.serverBusy()))
            .orElse(before.serverBusy());
    var retrieval =
        fields
            .optionalObject("proactive_retrieval")
            .map(it -> retrieval(it, before.proactiveRetrieval()))
            .orElse(before.proactiveRetrieval());
    fields.finish();
    return new Flags(busy, retrieval);
  }

  private static Flags.ServerBusy serverBusy(Fields fields, Flags.ServerBusy before) {
    return new Flags.ServerBusy(
        fields.optionalFlag("enabled").orElse(before.enabled()),
        names(fields, "enabled_areas", before.enabledAreas()),
        names(fields, "enabled_channels", before.enabledChannels()),
        fields.optionalFlag("shadow_mode").orElse(before.shadowMode()));
  }

  private static SortedSet<String> names(Fields fields, String name, SortedSet<String> before) {
    var given = fields.ids(name, 0, LIST_MAX);
    return fields.has(name) ? new TreeSet<>(given) : before;
  }

  private static Flags.ProactiveRetrieval retrieval(
      Fields fields, Flags.ProactiveRetrieval before) {
    return new Flags.ProactiveRetrieval(
        fields.optionalFlag("enabled").orElse(before.enabled()),
        fields
            .optionalWholeNumber("percentage", 0, 100)
            .orElse((long) before.percentage())
            .intValue());
  }
}
