package dev.tuntas.bench.chaos;

import dev.tuntas.bench.Progress;
import dev.tuntas.bench.verify.Archive;
import dev.tuntas.bench.verify.Verifier;
import dev.tuntas.bench.verify.VerifyReport;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// One run: orders among kills, then peace, then the reckoning.
final class ChaosRun {

  private static final Duration NEWS_WITHIN = Duration.ofSeconds(60);

  private final ChaosSettings settings;
  private final Progress progress;
  private final long began = System.nanoTime();

  ChaosRun(ChaosSettings settings, Progress progress) {
    this.settings = settings;
    this.progress = progress;
  }

  ChaosReport run() throws IOException, InterruptedException, SQLException {
    Files.createDirectories(settings.folder());
    progress.expect(settings.span().plus(settings.giveUp()).plusSeconds(30));
    try (var nemesis = new Nemesis(settings);
        var journal = new Journal(settings.journal())) {
      progress.phase("starting the server");
      var first = nemesis.start();
      var keys = Keys.of(settings.data(), first, Errand.CLIENTS);
      try (var door = new Door(nemesis::address, keys, journal)) {
        return run(nemesis, journal, door);
      }
    }
  }

  private ChaosReport run(Nemesis nemesis, Journal journal, Door door)
      throws IOException, InterruptedException, SQLException {
    long until = System.nanoTime() + settings.span().toNanos();
    progress.phase("orders come in, the server is killed again and again");
    Storm.run(nemesis, new Arrivals(door, journal, settings.flow()), until);
    progress.phase("waiting for every order to end");
    var stories = journal.stories();
    var ends = new Settling(door).await(stories, settings.settleWithin());
    progress.phase("waiting for all news to be delivered");
    boolean quiet = Quiet.in(settings.data()).await(NEWS_WITHIN);
    progress.phase("stopping the server");
    boolean inOrder = nemesis.stop();
    var check = new JournalCheck(ends);
    check.check(stories);
    check.require(inOrder, "K5 the server did not end in order when asked to");
    check.require(quiet, "O5 not everything was delivered within " + NEWS_WITHIN);
    var verified = verify(check);
    requireWork(check, nemesis, ends);
    return new ChaosReport(
        settings,
        stories,
        ends,
        check,
        verified,
        new ChaosReport.Kills(nemesis.kills(), nemesis.starts().millis(0.5)),
        (System.nanoTime() - began) / 1e9);
  }

  /// The server is gone, and everything has ended: nothing may be in motion any more.
  private VerifyReport verify(JournalCheck check) {
    try (var archive = Archive.in(settings.data())) {
      var report = new Verifier(archive, progress).run();
      check.require(report.inMotion() == 0, "L1 " + report.inMotion() + " orders are not at rest");
      check.require(
          report.undelivered() == 0, "O5 " + report.undelivered() + " events were not delivered");
      return report;
    }
  }

  /// A run in which nothing happened shows nothing.
  private static void requireWork(JournalCheck check, Nemesis nemesis, Map<String, Told> ends) {
    check.require(nemesis.kills() > 0, "nothing was killed: the run was too short");
    for (var how : List.of("CONFIRMED", "FAILED", "COMPLETED", "CANCELLED_BY_USER")) {
      boolean some = ends.values().stream().anyMatch(end -> end.word().equals(how));
      check.require(some, "no order was " + how + ": the run was too short");
    }
  }
}
