package dev.tuntas.bench.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What happens to rides while they are ordered.
public enum Scenario {
  /// 95 % of the job ids are told by callbacks, the others have to be asked for.
  NORMAL,
  /// No job id is told; all have to be asked for.
  NO_CALLBACKS,
  /// Half of the job ids are assigned ten to fifteen minutes late.
  SLOW_PARTNER,
  /// In the middle the partner is down for a sixth of the time: ten minutes of sixty.
  OUTAGE,
  /// Customers crowd into a few areas while the drivers vanish; full areas refuse.
  FLOOD;

  /// Something that changes while orders come in.
  ///
  /// @param share when, as a share of the time in which orders come in
  /// @param manners how the partner behaves from then on
  record Turn(double share, Map<String, ?> manners) {}

  static final double OUTAGE_BEGINS = 5 / 12.0;
  static final double OUTAGE_ENDS = 7 / 12.0;

  /// In an hour there are 77 000 customers; the others of an hour's orders stay at home.
  static final double FLOOD_ARRIVALS = 77_000 / 360_000.0;

  static final double DRIVERS_VANISH = 1 / 20.0;
  static final double DRIVERS_RETURN = 1 / 3.0;

  /// As it is called on the command line.
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// How the partner behaves from the start.
  Map<String, ?> manners() {
    return switch (this) {
      case NORMAL, OUTAGE, FLOOD -> Map.of("callback_rate", 0.95);
      case NO_CALLBACKS -> Map.of("callback_rate", 0);
      case SLOW_PARTNER ->
          Map.of(
              "callback_rate", 0.95, "late_rate", 0.5, "late_delay_ms", List.of(600_000, 900_000));
    };
  }

  List<Turn> turns() {
    return switch (this) {
      case NORMAL, NO_CALLBACKS, SLOW_PARTNER -> List.of();
      case OUTAGE ->
          List.of(
              new Turn(OUTAGE_BEGINS, Map.of("down", true)),
              new Turn(OUTAGE_ENDS, Map.of("down", false)));
      case FLOOD ->
          List.of(
              new Turn(DRIVERS_VANISH, Map.of("driver_rate", 0.001)),
              new Turn(DRIVERS_RETURN, Map.of("driver_rate", 1)));
    };
  }

  /// Whether full areas refuse orders, or only note that they would.
  boolean refuses() {
    return this == FLOOD;
  }

  /// For how long new customers come.
  Duration arrivals(Duration minutes) {
    return this == FLOOD
        ? Duration.ofMillis(Math.round(minutes.toMillis() * FLOOD_ARRIVALS))
        : minutes;
  }

  /// From when on the partner can answer again, if it could not for a while.
  Duration backAfter(Duration minutes) {
    return this == OUTAGE
        ? Duration.ofMillis(Math.round(minutes.toMillis() * OUTAGE_ENDS))
        : Duration.ZERO;
  }
}
