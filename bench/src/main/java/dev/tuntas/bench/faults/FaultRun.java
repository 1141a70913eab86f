package dev.tuntas.bench.faults;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.Progress;
import dev.tuntas.bench.StoreKind;
import dev.tuntas.bench.chaos.Arrivals;
import dev.tuntas.bench.chaos.Door;
import dev.tuntas.bench.chaos.Errand;
import dev.tuntas.bench.chaos.Journal;
import dev.tuntas.bench.chaos.JournalCheck;
import dev.tuntas.bench.chaos.Keys;
import dev.tuntas.bench.chaos.Settling;
import dev.tuntas.bench.chaos.Story;
import dev.tuntas.bench.chaos.Told;
import dev.tuntas.bench.faults.FaultResult.Books;
import dev.tuntas.bench.server.ServerProgram;
import dev.tuntas.bench.verify.Verifier;
import dev.tuntas.engine.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// One fault on one store: orders come in, the fault, its healing, and the reckoning.
final class FaultRun {

  /// How a fault is run.
  ///
  /// @param perSecond how many orders come in, besides the two that are watched
  /// @param patience how long after the healing somebody waits for orders to move
  /// @param settleWithin how long they may then take to end
  /// @param newsWithin and how long the news of that may take
  record Settings(
      ServerProgram program,
      int perSecond,
      long seed,
      Duration patience,
      Duration settleWithin,
      Duration newsWithin) {

    /// A ride whose partner could not tell it of a driver asks when the search is over.
    private static final Duration A_SEARCH = Duration.ofMinutes(2);

    static Settings usual(ServerProgram program, int perSecond, long seed) {
      return new Settings(
          program,
          perSecond,
          seed,
          Duration.ofSeconds(45),
          A_SEARCH.plusSeconds(30),
          Duration.ofSeconds(30));
    }
  }

  /// So many orders must have ended before the fault.
  private static final int WARM = 4;

  private static final Duration WARM_WITHIN = Duration.ofSeconds(60);
  private static final Duration AFTERWARDS = Duration.ofSeconds(4);
  private static final Duration LINGER = Duration.ofSeconds(30);

  /// Somebody may always be unlucky.
  private static final double REFUSED_SHARE_MAX = 0.05;

  private static final int SENTENCES_MAX = 3;

  private final Fault fault;
  private final StoreKind store;
  private final Settings settings;
  private final Path folder;
  private final Progress progress;
  private final Sightings seen = Sightings.none();
  private final AtomicLong until = new AtomicLong(Long.MAX_VALUE / 2);

  FaultRun(Fault fault, StoreKind store, Settings settings, Path folder, Progress progress) {
    this.fault = fault;
    this.store = store;
    this.settings = settings;
    this.folder = folder;
    this.progress = progress;
  }

  FaultResult run() throws InterruptedException {
    var missing = fault.missing(store);
    if (missing != null) return FaultResult.skipped(fault, store, missing);
    try (var rig = new Rig(store, folder, settings.program.shortLived())) {
      return run(rig);
    } catch (BenchException | StoreException | IOException | SQLException e) {
      return FaultResult.broken(fault, store, "It could not be carried through: " + e);
    }
  }

  private void phase(String what) {
    progress.phase(fault.name() + " on " + store.title() + ": " + what);
  }

  private FaultResult run(Rig rig) throws IOException, InterruptedException, SQLException {
    phase("starting");
    fault.prepare(rig);
    rig.startParts(fault.parts());
    fault.beforeStart(rig);
    long startedAt = System.nanoTime();
    var address = rig.startServer();
    var keys = Keys.of(Rig.CLIENT_KEY, Rig.ADMIN_KEY, address, Errand.CLIENTS);
    Admin.of(rig).hurry();
    try (var journal = new Journal(folder.resolve("journal.jsonl"));
        var door = new Door(rig::address, keys, journal, seen);
        var readiness = Readiness.watch(rig::address);
        var prober = Prober.start(door, journal)) {
      rig.crowd(new Crowd(door, journal));
      long cameAt = System.nanoTime();
      var flow = new Arrivals.Flow(settings.seed, settings.perSecond, LINGER);
      var customers = customers(new Arrivals(door, journal, flow));
      var course = course(rig, prober, startedAt);
      var complaints = new ArrayList<>(course.complaints);
      until.set(System.nanoTime());
      double wrongly =
          Readiness.wrongSeconds(readiness.looks(), seen.writes(), cameAt, until.get());
      prober.close();
      phase("waiting for the customers to go home");
      customers.join();
      var books = reckon(rig, journal, door, complaints);
      return new FaultResult(
          fault,
          store,
          null,
          seen.between(course.from, course.healedAt),
          course.recovery,
          wrongly,
          course.linesPerSecond,
          books,
          rig.restarts(),
          complaints);
    }
  }

  private Thread customers(Arrivals arrivals) {
    return Thread.ofVirtual()
        .name("customers")
        .start(
            () -> {
              try {
                arrivals.run(until::get);
              } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
              }
            });
  }

  /// How it went.
  private record Course(
      long from,
      long healedAt,
      double linesPerSecond,
      OptionalDouble recovery,
      List<String> complaints) {}

  private Course course(Rig rig, Prober prober, long startedAt)
      throws IOException, InterruptedException, SQLException {
    long from = startedAt;
    long healedAt = startedAt;
    double lines = 0;
    if (fault.strikes()) {
      phase("orders come in");
      if (!prober.awaitEnds(WARM, WARM_WITHIN)) {
        throw new BenchException("no orders ended even before the fault: see " + rig.log());
      }
      from = System.nanoTime();
      long before = rig.lines();
      phase(fault.what());
      try {
        fault.inject(rig);
        Thread.sleep(fault.lasts());
      } finally {
        fault.heal(rig);
      }
      healedAt = System.nanoTime();
      lines = (rig.lines() - before) / ((healedAt - from) / 1e9);
    }
    phase("waiting for orders to move again");
    var recovery = prober.awaitRecovery(from, healedAt, settings.patience);
    Thread.sleep(AFTERWARDS);
    var during = seen.between(from, healedAt);
    var complaints = new ArrayList<>(fault.check(rig, during));
    if (fault.isHidden() && during.refusedShare() > REFUSED_SHARE_MAX) {
      complaints.add("Customers saw it, and should not have.");
    }
    double ended = prober.endedShare(from, healedAt);
    if (ended < fault.endedShareMin(store)) {
      complaints.add(
          String.format(
              Locale.ROOT,
              "Of the orders that came meanwhile, %.0f %% ended, and should have been %.0f %%.",
              100 * ended,
              100 * fault.endedShareMin(store)));
    }
    if (fault.isSeen() && during.refusedShare() == 0) {
      complaints.add("No customer saw anything of it: it was no fault.");
    }
    return new Course(from, healedAt, lines, recovery, complaints);
  }

  /// Those that nobody can see at their end, or at all.
  private static long stuck(List<Story> stories, Map<String, Told> ends) {
    return stories.stream()
        .flatMap(story -> story.orderId().stream())
        .filter(id -> isOpen(ends.get(id)))
        .count();
  }

  private static boolean isOpen(@Nullable Told end) {
    return end == null || end.status() != 404 && !end.isSettled();
  }

  /// Where orders are stuck, the server is started again to tell those that are lost from those
  /// that only wait.
  private Books reckon(Rig rig, Journal journal, Door door, List<String> complaints)
      throws InterruptedException, SQLException {
    phase("waiting for every order to end");
    var stories = journal.stories();
    var settleWithin = settings.settleWithin.plus(fault.settlesLater());
    var ends = new Settling(door).await(stories, settleWithin);
    long stuck = stuck(stories, ends);
    if (stuck > 0) {
      phase("starting the server again by hand");
      rig.restartServer();
      ends = new Settling(door).await(stories, settings.settleWithin);
    }
    boolean quiet = rig.quiet().await(settings.newsWithin);
    phase("stopping the server");
    boolean inOrder = rig.stopServer();
    var check = new JournalCheck(ends);
    check.check(stories);
    check.require(inOrder, "K5 the server did not end in order when asked to");
    check.require(quiet, "O5 not everything was delivered within " + settings.newsWithin);
    phase("comparing the ledgers");
    try (var archive = rig.archive()) {
      var verified = new Verifier(archive, progress).run();
      complaints.addAll(fault.judge(ends.values()));
      complaints.addAll(check.violations().sentences());
      verified.lines().stream()
          .filter(line -> line.finding().violations() > 0)
          .flatMap(line -> line.finding().sentences().stream().limit(SENTENCES_MAX))
          .forEach(complaints::add);
      return new Books(
          ends.size(),
          check.lost(),
          verified.violationsOf("M2"),
          Math.max(stuck, verified.inMotion()),
          check.violations().count() + verified.violations());
    }
  }
}
