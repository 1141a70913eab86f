package dev.tuntas.bench.chaos;

import dev.tuntas.bench.Figures;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/// What came of a run.
record ChaosReport(
    long seed,
    long orders,
    long requests,
    int kills,
    double startMillis,
    long acknowledged,
    long confirmed,
    long failed,
    long withPerson,
    int lost,
    int stuck,
    long violations,
    List<String> sentences) {

  static ChaosReport of(
      ChaosSettings settings,
      Nemesis nemesis,
      Journal journal,
      JournalCheck check,
      Map<String, Told> ends,
      boolean stopped) {
    var stories = journal.stories();
    if (!stopped) check.violations().add("K5 the server did not end in order when asked to");
    return new ChaosReport(
        settings.seed(),
        stories.size(),
        journal.requests(),
        nemesis.kills(),
        nemesis.starts().millis(0.5),
        stories.stream().filter(Story::isAcknowledged).count(),
        ends.values().stream().filter(end -> ended(end, "CONFIRMED")).count(),
        ends.values().stream().filter(end -> ended(end, "FAILED")).count(),
        ends.values().stream().filter(Told::needsAttention).count(),
        check.lost(),
        check.stuck(),
        check.violations().count(),
        check.violations().sentences());
  }

  private static boolean ended(Told end, String how) {
    return end.hasEnded() && end.word().equals(how);
  }

  void print(PrintWriter out) {
    out.println(
        "%d orders, %d acknowledged: %d confirmed, %d failed, %d with a person; %d kills, up again after %s ms"
            .formatted(
                orders,
                acknowledged,
                confirmed,
                failed,
                withPerson,
                kills,
                Figures.plain(startMillis)));
    sentences.forEach(out::println);
    out.println("violations " + violations);
    out.flush();
  }
}
