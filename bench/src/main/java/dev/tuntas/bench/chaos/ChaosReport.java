package dev.tuntas.bench.chaos;

import static dev.tuntas.bench.chaos.Told.CONFIRMED;
import static dev.tuntas.bench.chaos.Told.FAILED;

import dev.tuntas.bench.Figures;
import dev.tuntas.bench.verify.VerifyReport;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

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

  private long ended(String how) {
    return ends.values().stream().filter(end -> end.hasEnded() && end.word().equals(how)).count();
  }

  private long withPerson() {
    return ends.values().stream().filter(Told::needsAttention).count();
  }

  private long acknowledged() {
    return stories.stream().filter(Story::isAcknowledged).count();
  }

  void print(PrintWriter out) {
    verified.print(out);
    out.println(
        "%d orders, %d of them acknowledged: %d confirmed, %d failed, %d with a person"
            .formatted(
                stories.size(), acknowledged(), ended(CONFIRMED), ended(FAILED), withPerson()));
    out.println(
        "%d kills; the server was up again after %s ms"
            .formatted(kills.count, Figures.plain(kills.startMillis)));
    if (violations() > 0) {
      journal.violations().sentences().forEach(out::println);
      out.println("What there is to look at is in " + settings.folder());
    }
    out.println(json());
    out.flush();
  }

  /// Rides and clusters are not part of a run on one machine: nothing is fenced and no slot taken.
  private String json() {
    return List.of(
            field("orders", stories.size()),
            field("kills", kills.count),
            field("lost", journal.lost()),
            field("double_charges", verified.violationsOf("M2")),
            field("double_refunds", verified.violationsOf("M3")),
            field("oversold", verified.violationsOf("S1")),
            field("stuck", journal.stuck()),
            field("fenced", 0),
            field("slots_leaked", 0),
            field("events_undelivered", verified.undelivered()),
            field("violations", violations()),
            field("acknowledged", acknowledged()),
            field("confirmed", ended(CONFIRMED)),
            field("failed", ended(FAILED)),
            field("with_person", withPerson()),
            field("start_ms_p50", Figures.rounded(kills.startMillis)),
            field("seconds", Figures.rounded(seconds)),
            field("seed", settings.seed()))
        .stream()
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String field(String name, Number value) {
    return "\"" + name + "\":" + value;
  }
}
