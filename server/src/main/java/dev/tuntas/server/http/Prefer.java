package dev.tuntas.server.http;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.regex.Pattern;

/// The preference to wait for a result (RFC 7240). What is malformed is as if it were not there.
public final class Prefer {

  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final Pattern WAIT =
      Pattern.compile("\\s*wait\\s*=\\s*(\\d{1,9})\\s*(;.*)?", Pattern.CASE_INSENSITIVE);

  private Prefer() {}

  /// How long the client would wait, cut to a minute.
  public static Optional<Duration> waiting(HttpServletRequest request) {
    for (var line : Collections.list(request.getHeaders("Prefer"))) {
      for (var preference : line.split(",", -1)) {
        var wait = WAIT.matcher(preference);
        if (wait.matches()) return Optional.of(cut(Long.parseLong(wait.group(1))));
      }
    }
    return Optional.empty();
  }

  private static Duration cut(long seconds) {
    return Duration.ofSeconds(Math.min(seconds, LONGEST.toSeconds()));
  }
}
