package dev.tuntas.server.observe;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Gives back to metrics the names that the metrics library changed: it ends every counter in
/// `_total`, and nothing else. Ours are named by documents, dashboards and alert rules.
final class DocumentedNames {

  /// Counters whose name does not end in `_total`.
  private static final List<String> COUNTERS =
      List.of("order_status_count", "timeout_worker_expired_events");

  /// Gauges whose name does.
  private static final List<String> GAUGES = List.of("dispatcher_waiting_orders");

  private static final Pattern TOO_LONG = Pattern.compile(lines(COUNTERS) + "_total(?=[ {])");
  private static final Pattern TOO_SHORT = Pattern.compile(lines(GAUGES) + "(?=[ {])");

  private DocumentedNames() {}

  private static String lines(List<String> names) {
    return names.stream().collect(Collectors.joining("|", "(?m)^((?:# (?:HELP|TYPE) )?(?:", "))"));
  }

  /// The same exposition, in the text format, under our names.
  static String in(String exposition) {
    var shortened = TOO_LONG.matcher(exposition).replaceAll("$1");
    return TOO_SHORT.matcher(shortened).replaceAll("$1_total");
  }
}
