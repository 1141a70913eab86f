package dev.tuntas.bench.faults;

import dev.tuntas.bench.Figures;
import dev.tuntas.bench.TextTable;
import dev.tuntas.bench.faults.FaultResult.Books;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.ToLongFunction;

/// What came of all faults.
record FaultsReport(List<FaultResult> results, double seconds) {

  FaultsReport {
    results = List.copyOf(results);
  }

  boolean isFine() {
    return ran().stream().allMatch(FaultResult::isFine);
  }

  private List<FaultResult> ran() {
    return results.stream().filter(result -> result.skipped() == null).toList();
  }

  private long sum(ToLongFunction<Books> figure) {
    return results.stream().map(FaultResult::books).mapToLong(figure).sum();
  }

  void print(PrintWriter out) {
    var table =
        new TextTable(
            "fault",
            "store",
            "2xx",
            "4xx",
            "503",
            "5xx",
            "no answer",
            "accepted s",
            "recovery s",
            "ready wrongly",
            "log/s",
            "restarts",
            "lost",
            "doubled",
            "stuck",
            "violations",
            "");
    for (var result : ran()) row(table, result);
    table.print(out);
    for (var result : results) sentences(out, result);
    out.println(json());
    out.flush();
  }

  private static void row(TextTable table, FaultResult result) {
    var seen = result.seen();
    var books = result.books();
    table.row(
        result.fault().name(),
        result.store().toString(),
        Long.toString(seen.hundreds(2)),
        Long.toString(seen.hundreds(4)),
        Long.toString(seen.unavailable()),
        Long.toString(seen.otherErrors()),
        Long.toString(seen.silences()),
        seen.acceptedWithinSeconds().isPresent()
            ? Figures.plain(seen.acceptedWithinSeconds().getAsDouble())
            : "-",
        result.recoverySeconds().isPresent()
            ? Figures.plain(result.recoverySeconds().getAsDouble())
            : "never",
        result.readyWrongly() > 0 ? Figures.plain(result.readyWrongly()) + " s" : "-",
        Figures.plain(result.linesPerSecond()),
        Integer.toString(result.restarts()),
        Long.toString(books.lost()),
        Long.toString(books.doubled()),
        Long.toString(books.stuck()),
        Long.toString(books.violations()),
        result.isFine() ? "ok" : "WRONG");
  }

  private static void sentences(PrintWriter out, FaultResult result) {
    var title = result.fault().name() + " on " + result.store().title() + ": ";
    if (result.skipped() != null) out.println(title + "skipped. " + result.skipped());
    for (var sentence : result.wrong()) out.println(title + sentence);
  }

  /// What came of one of them, as soon as it is known.
  static String line(FaultResult result) {
    var title = result.fault().name() + " on " + result.store().title() + ": ";
    if (result.skipped() != null) return title + "skipped. " + result.skipped();
    return result.isFine()
        ? title + "ok, after " + Figures.plain(result.recoverySeconds().orElse(0)) + " s"
        : title + String.join(" ", result.wrong());
  }

  String json() {
    double slowest =
        ran().stream().mapToDouble(it -> it.recoverySeconds().orElse(Double.NaN)).max().orElse(0);
    return """
    {"faults":%d,"lost":%d,"double_charges":%d,"stuck_after_heal":%d,"violations":%d,\
    "recovery_s_max":%s,"failed":%d,"skipped":%d,"orders":%d,"seconds":%s}\
    """
        .formatted(
            ran().size(),
            sum(Books::lost),
            sum(Books::doubled),
            sum(Books::stuck),
            sum(Books::violations),
            Double.isNaN(slowest) ? "null" : Figures.rounded(slowest).toPlainString(),
            ran().stream().filter(result -> !result.isFine()).count(),
            results.size() - ran().size(),
            sum(Books::orders),
            Figures.rounded(seconds).toPlainString());
  }
}
