package dev.tuntas.bench.chaos;

import static java.util.Comparator.comparingInt;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.cluster.Cluster;
import dev.tuntas.bench.cluster.Kind;
import dev.tuntas.bench.cluster.Member;
import dev.tuntas.bench.cluster.PostgresProcess.Stop;
import dev.tuntas.bench.cluster.RabbitProcess;
import dev.tuntas.bus.DoorbellListener;
import dev.tuntas.inventory.StockCommands;
import dev.tuntas.inventory.StockReplies;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Kills processes of a cluster, stops their time, and restarts the servers below them, one after
/// the other and now and then several at once. What it kills it starts again at once.
final class ClusterNemesis implements Trouble {

  private static final int PEACE_MILLIS_MIN = 1_500;
  private static final int PEACE_MILLIS_MAX = 6_000;
  private static final int SLEEP_MILLIS_MIN = 5_000;
  private static final int SLEEP_MILLIS_MAX = 8_000;

  /// Who was in trouble less than so long ago may be slow to take over.
  private static final Duration RECOVERY = Duration.ofSeconds(4);

  private static final int STARTS_MAX = 10;
  private static final Duration START_AGAIN = Duration.ofSeconds(1);

  /// Half of the workers that fall are left to the others for so long, so that it can be timed; all
  /// of them until it was timed so often.
  private static final Duration TAKE_OVER = Duration.ofSeconds(6);

  private static final int TIMED_MIN = 3;

  /// How long to wait for a good moment to let a worker fall.
  private static final Duration GOOD_MOMENT = Duration.ofSeconds(20);

  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

  private static final Set<Blow> ON_WORKERS = EnumSet.of(Blow.KILL_WORKER, Blow.PAUSE_WORKER);

  private static final Set<Blow> ON_POSTGRES =
      EnumSet.of(Blow.RESTART_POSTGRES, Blow.CRASH_POSTGRES);

  private static final Set<Blow> ON_RABBITMQ =
      EnumSet.of(Blow.RESTART_RABBITMQ, Blow.KILL_RABBITMQ, Blow.DELETE_QUEUES);

  /// Those of our own processes.
  private static final List<String> QUEUES =
      List.of(StockCommands.QUEUE, StockReplies.QUEUE, DoorbellListener.QUEUE);

  private final Cluster cluster;
  private final Blows blows;
  private final RandomGenerator random;
  private final Falls falls;
  private final Set<Member> asleep = ConcurrentHashMap.newKeySet();
  private final Set<Member> starting = ConcurrentHashMap.newKeySet();
  private final Map<Blow, Integer> struck = new EnumMap<>(Blow.class);
  private final Map<Member, Instant> troubled = new HashMap<>();
  private volatile Instant postgresTroubled = Instant.MIN;
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

  ClusterNemesis(Cluster cluster, Falls falls, long seed) {
    this.cluster = cluster;
    this.falls = falls;
    this.random = new SplittableRandom(seed);
    this.blows = new Blows(possible(cluster), ~seed);
  }

  private static List<Blow> possible(Cluster cluster) {
    var possible = EnumSet.allOf(Blow.class);
    if (cluster.postgres().isEmpty()) possible.removeAll(ON_POSTGRES);
    if (cluster.kafka().isEmpty()) possible.removeAll(Set.of(Blow.RESTART_KAFKA, Blow.KILL_KAFKA));
    if (cluster.rabbit().isEmpty()) possible.removeAll(ON_RABBITMQ);
    if (cluster.redis().isEmpty()) possible.removeAll(Set.of(Blow.FLUSH_REDIS, Blow.KILL_REDIS));
    return List.copyOf(possible);
  }

  @Override
  public void rage(long until) throws InterruptedException {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      while (System.nanoTime() < until && failure.get() == null) {
        Thread.sleep(random.nextInt(PEACE_MILLIS_MIN, PEACE_MILLIS_MAX));
        if (System.nanoTime() >= until) break;
        var blow = blows.next();
        boolean timed =
            ON_WORKERS.contains(blow) && (falls.timed() < TIMED_MIN || random.nextBoolean());
        if (timed) awaitGoodMoment(until);
        strike(blow, threads);
        if (timed) Thread.sleep(TAKE_OVER);
        for (var member : cluster.members()) if (!member.isAlive()) begin(member, threads);
      }
    }
    var failed = failure.get();
    if (failed != null) throw failed;
    for (var member : cluster.members()) if (!member.isAlive()) began(member);
  }

  /// Waits until all workers and the database have been well for a while, and some worker has
  /// something to lose.
  private void awaitGoodMoment(long until) throws InterruptedException {
    long end = Math.min(until, System.nanoTime() + GOOD_MOMENT.toNanos());
    while (System.nanoTime() < end && !isGoodMoment()) Thread.sleep(LOOK_AGAIN);
  }

  private boolean isGoodMoment() {
    var workers = cluster.members(Kind.WORKER);
    var now = Instant.now();
    return workers.stream().allMatch(worker -> wereOthersWell(worker, now))
        && workers.stream().anyMatch(worker -> running(worker) > 0);
  }

  private int running(Member worker) {
    return worker.pid().isEmpty() ? 0 : falls.running(worker.pid().orElseThrow());
  }

  private void strike(Blow blow, ExecutorService threads) throws InterruptedException {
    switch (blow) {
      case KILL_WEB -> kill(blow, Kind.WEB, threads);
      case KILL_WORKER -> kill(blow, Kind.WORKER, threads);
      case KILL_INVENTORY -> kill(blow, Kind.INVENTORY, threads);
      case KILL_PAYMENT -> kill(blow, Kind.PAYMENT, threads);
      case KILL_SIMULATOR -> kill(blow, Kind.SIMULATOR, threads);
      case PAUSE_WORKER -> pause(blow, threads);
      case RESTART_POSTGRES -> restartPostgres(blow, Stop.FAST);
      case CRASH_POSTGRES -> restartPostgres(blow, Stop.IMMEDIATE);
      case RESTART_KAFKA -> {
        cluster.kafka().orElseThrow().restart();
        note(blow);
      }
      case KILL_KAFKA -> {
        cluster.kafka().orElseThrow().killAndStart();
        note(blow);
      }
      case RESTART_RABBITMQ -> onRabbit(blow, threads, RabbitProcess::restart);
      case KILL_RABBITMQ -> onRabbit(blow, threads, RabbitProcess::killAndStart);
      case DELETE_QUEUES -> onRabbit(blow, threads, rabbit -> rabbit.delete(QUEUES));
      case FLUSH_REDIS -> {
        cluster.redis().orElseThrow().flush();
        note(blow);
      }
      case KILL_REDIS -> {
        cluster.redis().orElseThrow().restart();
        note(blow);
      }
    }
  }

  private interface Meddling {
    void with(RabbitProcess rabbit) throws InterruptedException;
  }

  /// It takes its time, and other things happen meanwhile.
  private void onRabbit(Blow blow, ExecutorService threads, Meddling meddling) {
    var rabbit = cluster.rabbit().orElseThrow();
    threads.submit(
        () -> {
          try {
            meddling.with(rabbit);
            note(blow);
          } catch (BenchException e) {
            failure.compareAndSet(null, e);
          }
          return null;
        });
  }

  private void restartPostgres(Blow blow, Stop how) throws InterruptedException {
    postgresTroubled = Instant.now();
    cluster.postgres().orElseThrow().restart(how);
    postgresTroubled = Instant.now();
    note(blow);
  }

  private void kill(Blow blow, Kind kind, ExecutorService threads) throws InterruptedException {
    var victim = victim(kind);
    if (victim.isEmpty()) return;
    var member = victim.get();
    long pid = member.pid().orElseThrow();
    var at = Instant.now();
    troubled(member);
    member.kill();
    note(blow);
    if (kind == Kind.WORKER) threads.submit(() -> watched(member, pid, at));
    begin(member, threads);
  }

  private void pause(Blow blow, ExecutorService threads) throws InterruptedException {
    var victim = victim(Kind.WORKER);
    if (victim.isEmpty()) return;
    var member = victim.get();
    var at = Instant.now();
    long sleep = random.nextInt(SLEEP_MILLIS_MIN, SLEEP_MILLIS_MAX);
    asleep.add(member);
    troubled(member);
    member.pause();
    note(blow);
    threads.submit(() -> watched(member, member.pid().orElseThrow(), at));
    threads.submit(
        () -> {
          Thread.sleep(sleep);
          member.goOn();
          troubled(member);
          asleep.remove(member);
          return null;
        });
  }

  private @Nullable Void watched(Member member, long pid, Instant at) throws InterruptedException {
    falls.watch(pid, at, () -> wereOthersWell(member, at));
    return null;
  }

  /// As whoever looks after processes would: one that ends while it starts, because the database is
  /// away, is started again.
  private @Nullable Void began(Member member) throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        member.start();
        troubled(member);
        starting.remove(member);
        return null;
      } catch (BenchException e) {
        if (attempt == STARTS_MAX) {
          failure.compareAndSet(null, e);
          return null;
        }
        Thread.sleep(START_AGAIN);
      }
    }
  }

  private void begin(Member member, ExecutorService threads) {
    if (starting.add(member)) threads.submit(() -> began(member));
  }

  /// Somebody who is up and awake.
  private Optional<Member> victim(Kind kind) {
    var standing = new ArrayList<Member>();
    for (var member : cluster.members(kind)) {
      if (member.isUp() && !asleep.contains(member)) standing.add(member);
    }
    if (standing.isEmpty()) return Optional.empty();
    // Where it hurts most.
    if (kind == Kind.WORKER) return standing.stream().max(comparingInt(this::running));
    return Optional.of(standing.get(random.nextInt(standing.size())));
  }

  private synchronized void troubled(Member member) {
    troubled.put(member, Instant.now());
  }

  /// Whether the database and some other worker were well all the time since shortly before.
  private synchronized boolean wereOthersWell(Member fallen, Instant since) {
    var before = since.minus(RECOVERY);
    return postgresTroubled.isBefore(before)
        && cluster.members(Kind.WORKER).stream()
            .anyMatch(
                other ->
                    other != fallen
                        && other.isUp()
                        && !asleep.contains(other)
                        && troubled.getOrDefault(other, Instant.MIN).isBefore(before));
  }

  private synchronized void note(Blow blow) {
    struck.merge(blow, 1, Integer::sum);
  }

  private synchronized int count(Blow... some) {
    int sum = 0;
    for (var blow : some) sum += struck.getOrDefault(blow, 0);
    return sum;
  }

  int kills() {
    return count(
        Blow.KILL_WEB,
        Blow.KILL_WORKER,
        Blow.KILL_INVENTORY,
        Blow.KILL_PAYMENT,
        Blow.KILL_SIMULATOR);
  }

  int pauses() {
    return count(Blow.PAUSE_WORKER);
  }

  int postgresRestarts() {
    return count(Blow.RESTART_POSTGRES, Blow.CRASH_POSTGRES);
  }

  int kafkaRestarts() {
    return count(Blow.RESTART_KAFKA, Blow.KILL_KAFKA);
  }

  int rabbitRestarts() {
    return count(Blow.RESTART_RABBITMQ, Blow.KILL_RABBITMQ);
  }

  int queuesDeleted() {
    return count(Blow.DELETE_QUEUES) * QUEUES.size();
  }

  int redisFlushes() {
    return count(Blow.FLUSH_REDIS, Blow.KILL_REDIS);
  }
}
