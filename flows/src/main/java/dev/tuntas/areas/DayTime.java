package dev.tuntas.areas;

import java.time.DateTimeException;
import java.time.LocalTime;
import java.util.Optional;

/// A threshold for a part of the day. `from` belongs to it, `to` does not; it may pass midnight.
public record DayTime(String from, String to, int maxWaitingOrders) {

  Optional<String> flaw() {
    try {
      if (LocalTime.parse(from).equals(LocalTime.parse(to))) {
        return Optional.of("A part of the day ends at another time than it begins.");
      }
    } catch (DateTimeException _) {
      return Optional.of("A time of day is written as 17:30.");
    }
    return maxWaitingOrders < 0 || maxWaitingOrders > AreaRules.WAITING_MAX
        ? Optional.of("max_waiting_orders is between 0 and " + AreaRules.WAITING_MAX + ".")
        : Optional.empty();
  }

  boolean holds(LocalTime time) {
    var begin = LocalTime.parse(from);
    var end = LocalTime.parse(to);
    boolean begun = !time.isBefore(begin);
    boolean over = !time.isBefore(end);
    return begin.isBefore(end) ? begun && !over : begun || !over;
  }
}
