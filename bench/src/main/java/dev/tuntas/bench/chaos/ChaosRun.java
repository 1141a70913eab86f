package dev.tuntas.bench.chaos;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicReference;

/// One run: orders among kills, then peace, then the reckoning.
final class ChaosRun {

  private final ChaosSettings settings;
  private final Progress progress;

  ChaosRun(ChaosSettings settings, Progress progress) {
    this.settings = settings;
    this.progress = progress;
  }

  ChaosReport run() throws IOException, InterruptedException {
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
      throws IOException, InterruptedException {
    long until = System.nanoTime() + settings.span().toNanos();
    progress.phase("orders come in, the server is killed again and again");
    rage(nemesis, new Arrivals(settings, door, journal), until);
    progress.phase("waiting for every order to end");
    var stories = journal.stories();
    var ends = new Settling(door).await(stories, settings.settleWithin());
    progress.phase("stopping the server");
    boolean stopped = nemesis.stop();
    progress.phase("verifying");
    var check = new JournalCheck(ends);
    check.check(stories);
    return ChaosReport.of(settings, nemesis, journal, check, ends, stopped);
  }

  /// Both at once; what goes wrong in either ends the run.
  private static void rage(Nemesis nemesis, Arrivals arrivals, long until)
      throws InterruptedException {
    var failure = new AtomicReference<RuntimeException>();
    var customers =
        Thread.ofVirtual()
            .name("arrivals")
            .start(
                () -> {
                  try {
                    arrivals.run(until);
                  } catch (RuntimeException e) {
                    failure.set(e);
                  } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                  }
                });
    try {
      nemesis.rage(until);
      customers.join();
    } finally {
      customers.interrupt();
    }
    var failed = failure.get();
    if (failed != null) throw new BenchException("no more orders came in: " + failed, failed);
  }
}
