package dev.tuntas.bench.chaos;

import dev.tuntas.bench.Figures;
import dev.tuntas.bench.verify.VerifyReport;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// What came of a run.
///
/// @param ends what was seen last of each order, by its id
/// @param seconds how long all of it took
record ChaosReport(
    ChaosSettings settings,
    List<Story> stories,
    Map<String, Told> ends,
    JournalCheck journal,
    VerifyReport verified,
    Kills kills,
    double seconds) {

  /// @param startMillis how long the server needed to be up again, half of the times
  record Kills(int count, double startMillis) {}

  long violations() {
    return journal.violations().count() + verified.violations();
  }

  private long ended(Predicate<Told> how) {
    return ends.values().stream().filter(how).count();
  }

  private long withPerson() {
    return ends.values().stream().filter(Told::needsAttention).count();
  }

  private long acknowledged() {
    return stories.stream().filter(Story::isAcknowledged).count();
  }

  void print(PrintWriter out) {
    printOrders(out);
    out.println(
        "%d kills; the server was up again after %s ms"
            .formatted(kills.count, Figures.plain(kills.startMillis)));
    printViolations(out);
    out.println(json());
    out.flush();
  }

  void printOrders(PrintWriter out) {
    verified.print(out);
    out.println(
        "%d orders, %d of them acknowledged: %d went through, %d did not, %d with a person; %d rides"
            .formatted(
                stories.size(),
                acknowledged(),
                ended(Told::wentThrough),
                ended(Told::cameToNothing),
                withPerson(),
                ended(Told::isRide)));
  }

  void printViolations(PrintWriter out) {
    if (violations() == 0) return;
    journal.violations().sentences().forEach(out::println);
    out.println("What there is to look at is in " + settings.folder());
  }

  /// A cluster is not part of a run on one machine: nothing is fenced.
  private String json() {
    var fields = new ArrayList<String>();
    fields.add(field("orders", stories.size()));
    fields.add(field("kills", kills.count));
    fields.addAll(outcome().subList(1, outcome().size()));
    fields.add(field("fenced", 0));
    fields.add(field("start_ms_p50", Figures.rounded(kills.startMillis)));
    fields.addAll(run());
    return "{" + String.join(",", fields) + "}";
  }

  /// What became of the orders, as fields of JSON.
  List<String> outcome() {
    return List.of(
        field("orders", stories.size()),
        field("lost", journal.lost()),
        field("double_charges", verified.violationsOf("M2")),
        field("double_refunds", verified.violationsOf("M3")),
        field("oversold", verified.violationsOf("S1")),
        field("stuck", journal.stuck()),
        field("slots_leaked", verified.violationsOf("D4")),
        field("events_undelivered", verified.undelivered()),
        field("violations", violations()),
        field("acknowledged", acknowledged()),
        field("confirmed", ended(Told::wentThrough)),
        field("failed", ended(Told::cameToNothing)),
        field("with_person", withPerson()),
        field("rides", ended(Told::isRide)));
  }

  /// What the run was, as fields of JSON.
  List<String> run() {
    return List.of(field("seconds", Figures.rounded(seconds)), field("seed", settings.seed()));
  }

  static String field(String name, Number value) {
    return "\"" + name + "\":" + value;
  }
}
