package dev.tuntas.bench.chaos;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.Progress;
import dev.tuntas.bench.cluster.Cluster;
import dev.tuntas.bench.cluster.ClusterSettings;
import dev.tuntas.bench.cluster.Kind;
import dev.tuntas.bench.cluster.Member;
import dev.tuntas.bench.verify.Archive;
import dev.tuntas.bench.verify.Verifier;
import dev.tuntas.bench.verify.VerifyReport;
import dev.tuntas.store.PostgresSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// One run against a cluster: orders among blows, then peace, then the reckoning.
final class ClusterRun {

  private static final Duration KEYS_WITHIN = Duration.ofSeconds(10);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);
  private static final Duration TAKE_OVER_WITHIN = Duration.ofSeconds(5);
  private static final Duration NEWS_WITHIN = Duration.ofSeconds(60);

  /// Some worker falls alone in as long a time.
  private static final Duration LONG = Duration.ofMinutes(3);

  /// Of those who come, at least so many must be accepted and reach an end.
  private static final double ENDED_MIN = 0.5;

  private final ChaosSettings settings;
  private final ClusterSettings.Servers servers;
  private final Progress progress;
  private final long began = System.nanoTime();

  ClusterRun(ChaosSettings settings, ClusterSettings.Servers servers, Progress progress) {
    this.settings = settings;
    this.servers = servers;
    this.progress = progress;
  }

  ClusterReport run() throws IOException, InterruptedException, SQLException {
    Files.createDirectories(settings.folder());
    progress.expect(settings.span().plus(settings.giveUp()).plusSeconds(90));
    try (var cluster = Cluster.of(clusterSettings());
        var journal = new Journal(settings.journal())) {
      Runtime.getRuntime().addShutdownHook(new Thread(cluster::close));
      cluster.start(progress);
      cluster.rabbit().ifPresent(rabbit -> RabbitLog.begin(rabbit.url()));
      var keys = keys(cluster);
      try (var door = new Door(turns(cluster), keys, journal);
          var fences = new FenceWatch(cluster)) {
        return run(cluster, journal, door, fences);
      }
    }
  }

  /// With queues to lose, the inventory is driven by what is in them.
  private ClusterSettings clusterSettings() {
    var driven = servers.startRabbitmq() ? "messages" : "calls";
    return ClusterSettings.usual(settings.program(), settings.data())
        .servers(servers)
        .with(
            List.of(
                "--tuntas.saga.give-up=" + settings.giveUp().toSeconds() + "s",
                "--tuntas.ride.news-wait=5s",
                "--tuntas.inventory.driven-by=" + driven,
                "--tuntas.rate-limit.per-second=0"));
  }

  /// A key that one process has made is known to the others a moment later.
  private static List<String> keys(Cluster cluster) throws IOException, InterruptedException {
    var web = cluster.members(Kind.WEB);
    var own = cluster.keys();
    var keys = Keys.of(own.client(), own.admin(), web.getFirst().address(), Errand.CLIENTS);
    try (var http = HttpClient.newHttpClient()) {
      for (var member : web) for (var key : keys) awaitKey(http, member.address(), key);
    }
    return keys;
  }

  private static void awaitKey(HttpClient http, URI server, String key)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + KEYS_WITHIN.toNanos();
    var request =
        HttpRequest.newBuilder(server.resolve("/api/v1/orders/none"))
            .header("Authorization", "Bearer " + key)
            .build();
    while (http.send(request, BodyHandlers.discarding()).statusCode() == 401) {
      if (System.nanoTime() > end) throw new BenchException("a new key is not known everywhere");
      Thread.sleep(LOOK_AGAIN);
    }
  }

  /// Customers go to the web processes in turn; to whichever is there, as far as we know.
  private static java.util.function.Supplier<Optional<URI>> turns(Cluster cluster) {
    var turn = new AtomicInteger();
    return () -> {
      var up = cluster.members(Kind.WEB).stream().filter(Member::isUp).toList();
      return up.isEmpty()
          ? Optional.empty()
          : Optional.of(up.get(Math.floorMod(turn.getAndIncrement(), up.size())).address());
    };
  }

  private ClusterReport run(Cluster cluster, Journal journal, Door door, FenceWatch fences)
      throws InterruptedException, SQLException {
    long until = System.nanoTime() + settings.span().toNanos();
    var handovers = Handovers.noted(cluster.database());
    var falls = new Falls(cluster.database());
    var nemesis = new ClusterNemesis(cluster, falls, settings.seed());
    progress.phase("orders come in, processes and servers are killed");
    Storm.run(nemesis, new Arrivals(door, journal, settings.flow()), until);
    progress.phase("waiting for every order to end");
    var stories = journal.stories();
    var ends = new Settling(door).await(stories, settings.settleWithin());
    progress.phase("waiting for all news to be delivered");
    var quiet = Quiet.at(cluster.database()).await(NEWS_WITHIN);
    var fallen = falls.figures();
    var taken = handovers.figures();
    var bus = BusBook.in(cluster.database());
    var log = brokerLog(cluster);
    progress.phase("stopping the processes");
    boolean inOrder = cluster.stopMembers();
    var check = new JournalCheck(ends);
    check.check(stories);
    check.require(inOrder, "K5 a process did not end in order when asked to");
    check.require(quiet, "O5 not everything was delivered within " + NEWS_WITHIN);
    check.require(bus.dead() == 0, "O6 " + bus.dead() + " messages could not be published");
    check.require(log.missing() == 0, "O6 " + log.missing() + " events are not at the broker");
    var verified = verify(cluster, check);
    requireNoDoubleRuns(check, taken);
    requireTakeOvers(check, fallen);
    requireWork(check, nemesis, ends);
    return new ClusterReport(
        new ChaosReport(
            settings,
            stories,
            ends,
            check,
            verified,
            new ChaosReport.Kills(nemesis.kills(), Double.NaN),
            (System.nanoTime() - began) / 1e9),
        nemesis,
        fallen,
        taken,
        bus,
        log,
        fences.fenced());
  }

  private static BrokerLog brokerLog(Cluster cluster) throws SQLException {
    var kafka = cluster.kafkaServers();
    if (kafka.isPresent()) return BrokerLog.ofKafka(kafka.get(), cluster.database());
    var rabbit = cluster.rabbit();
    return rabbit.isPresent()
        ? BrokerLog.ofRabbit(rabbit.get().url(), cluster.database())
        : BrokerLog.NONE;
  }

  private VerifyReport verify(Cluster cluster, JournalCheck check) {
    try (var archive = Archive.at(PostgresSettings.of(cluster.database(), null, null))) {
      var report = new Verifier(archive, progress).run();
      check.require(report.inMotion() == 0, "L1 " + report.inMotion() + " orders are not at rest");
      check.require(
          report.undelivered() == 0, "O5 " + report.undelivered() + " events were not delivered");
      return report;
    }
  }

  private static void requireNoDoubleRuns(JournalCheck check, Handovers.Figures taken) {
    check.require(
        taken.fromLiving() == 0,
        "F1 " + taken.fromLiving() + " sagas were taken from workers that nobody took for dead");
    check.require(
        taken.doubleRuns() == 0,
        "F1 " + taken.doubleRuns() + " lines are by workers from whom the saga had been taken");
  }

  private void requireTakeOvers(JournalCheck check, Falls.Figures fallen) {
    check.require(
        fallen.timed() > 0 || settings.span().compareTo(LONG) < 0,
        "no worker fell while another could take over");
    check.require(
        fallen.slow() == 0 && fallen.takeOverSecondsMax() <= TAKE_OVER_WITHIN.toSeconds(),
        "F2 the work of a worker that fell went on too late: after "
            + fallen.takeOverSecondsMax()
            + " s");
  }

  /// A run in which little happened shows little.
  private void requireWork(JournalCheck check, ClusterNemesis nemesis, Map<String, Told> ends) {
    check.require(nemesis.kills() > 0, "nothing was killed: the run was too short");
    double wanted = ENDED_MIN * settings.perSecond() * settings.span().toSeconds();
    long ended = ends.values().stream().filter(Told::hasEnded).count();
    check.require(
        ended >= wanted, "only " + ended + " orders ended, at least " + wanted + " should have");
    for (var how : List.of("CONFIRMED", "FAILED", "COMPLETED", "CANCELLED_BY_USER")) {
      boolean some = ends.values().stream().anyMatch(end -> end.word().equals(how));
      check.require(some, "no order was " + how + ": the run was too short");
    }
  }
}
