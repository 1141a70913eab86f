package dev.tuntas.server.areas;

import dev.tuntas.server.http.ListQuery;
import jakarta.servlet.http.HttpServletRequest;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The time that a report is about: the last day, unless it says otherwise.
record TimeSpan(Instant from, Instant to) {

  private static final Duration DEFAULT = Duration.ofDays(1);
  private static final Duration MOST = Duration.ofDays(92);
  private static final Set<String> NAMES = Set.of("from", "to");

  static TimeSpan of(HttpServletRequest request, Instant now) {
    var given = ListQuery.parameters(request);
    if (!NAMES.containsAll(given.keySet())) {
      throw ListQuery.invalid("There is a parameter that this report does not know.");
    }
    var to = time(given.get("to"), now);
    var from = time(given.get("from"), to.minus(DEFAULT));
    if (!from.isBefore(to)) throw ListQuery.invalid("from must be before to.");
    if (Duration.between(from, to).compareTo(MOST) > 0) {
      throw ListQuery.invalid("A report is about 92 days at most.");
    }
    return new TimeSpan(from, to);
  }

  private static Instant time(@Nullable String text, Instant otherwise) {
    if (text == null || text.isEmpty()) return otherwise;
    try {
      var time = OffsetDateTime.parse(text);
      if (time.getYear() >= 1970 && time.getYear() < 2200) return time.toInstant();
    } catch (DateTimeException _) {
      // told below
    }
    throw ListQuery.invalid("A time is written with its zone, as 2027-01-10T08:00:00Z.");
  }

  Duration length() {
    return Duration.between(from, to);
  }
}
