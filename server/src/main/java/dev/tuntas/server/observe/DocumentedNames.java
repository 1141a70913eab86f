package dev.tuntas.server.observe;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Gives back to metrics the names that the metrics library changed: it ends every counter in
/// `_total`, and ours are named by documents, dashboards and alert rules.
final class DocumentedNames {

  /// Counters whose name does not end in `_total`.
  private static final List<String> COUNTERS =
      List.of("order_status_count", "timeout_worker_expired_events");

  private static final Pattern CHANGED =
      Pattern.compile(
          COUNTERS.stream()
              .collect(
                  Collectors.joining("|", "(?m)^((?:# (?:HELP|TYPE) )?(?:", "))_total(?=[ {])")));

  private DocumentedNames() {}

  /// The same exposition, in the text format, under our names.
  static String in(String exposition) {
    return CHANGED.matcher(exposition).replaceAll("$1");
  }
}
