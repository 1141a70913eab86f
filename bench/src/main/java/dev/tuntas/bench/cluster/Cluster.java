package dev.tuntas.bench.cluster;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.Progress;
import dev.tuntas.bench.cluster.Places.Place;
import dev.tuntas.bench.server.ServerProcess.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// The platform as many processes on this machine, on loopback. They end with this process, however
/// that ends.
public final class Cluster implements AutoCloseable {

  /// Half a dozen JVMs share this machine: none of them needs much. One that runs out of memory
  /// ends at once: it would stay, answer nobody, and be taken for alive.
  private static final List<String> SMALL =
      List.of("-Xmx224m", "-Xss512k", "-XX:+ExitOnOutOfMemoryError");

  /// Of each process for the orders; half as many for a service.
  private static final int CONNECTIONS = 8;

  /// Then a process is killed that was asked to end.
  private static final Duration STOP_WITHIN = Duration.ofSeconds(30);

  private static final List<Set<Kind>> STOPPING =
      List.of(
          Set.of(Kind.WEB),
          Set.of(Kind.WORKER),
          Set.of(Kind.INVENTORY, Kind.PAYMENT, Kind.SIMULATOR));

  private final ClusterSettings settings;
  private final ClusterKeys keys;
  private final Guardian guardian = Guardian.start();
  private final Ports ports = new Ports();
  private final List<Member> members = new ArrayList<>();
  private volatile @Nullable PostgresProcess postgres;
  private volatile @Nullable RedisProcess redis;
  private volatile @Nullable KafkaProcess kafka;
  private volatile @Nullable RabbitProcess rabbit;
  private boolean closed;

  private Cluster(ClusterSettings settings) throws IOException {
    this.settings = settings;
    Files.createDirectories(settings.folder().resolve("logs"));
    this.keys = ClusterKeys.in(settings.folder());
  }

  /// Prepares one: nothing runs yet. Whoever prepares it closes it.
  public static Cluster of(ClusterSettings settings) throws IOException {
    return new Cluster(settings);
  }

  /// Starts everything and waits until all of it listens.
  public void start(Progress progress) throws InterruptedException {
    progress.phase("starting the database, Redis and the broker");
    startServers();
    plan();
    var maker = first(Kind.INVENTORY);
    progress.phase("starting the inventory, which makes the tables");
    maker.start();
    progress.phase("starting " + (members.size() - 1) + " more processes");
    var others = members.stream().filter(member -> member != maker).toList();
    others.forEach(Member::launch);
    for (var member : others) {
      member.await();
      progress.phase(member.name() + " is up");
    }
  }

  private void startServers() throws InterruptedException {
    var wanted = settings.servers();
    var starting = new ArrayList<Callable<@Nullable Void>>();
    if (wanted.postgres() == null) starting.add(this::startPostgres);
    if (wanted.withRedis() && wanted.redis() == null) starting.add(this::startRedis);
    if (wanted.startRabbitmq()) starting.add(this::startRabbit);
    else if (wanted.withKafka() && wanted.kafka() == null && wanted.rabbitmq() == null) {
      starting.add(this::startKafka);
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var one : threads.invokeAll(starting)) require(one);
    }
  }

  private static void require(Future<?> started) throws InterruptedException {
    try {
      started.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) throw cause;
      throw new BenchException("a server did not start: " + e.getCause(), e);
    }
  }

  private @Nullable Void startPostgres() {
    var folder = settings.data("postgres");
    postgres = PostgresProcess.start(folder, settings.log("postgres"), port(), guardian);
    return null;
  }

  private @Nullable Void startRedis() throws InterruptedException {
    redis = RedisProcess.start(settings.data("redis"), settings.log("redis"), port(), guardian);
    return null;
  }

  private @Nullable Void startKafka() throws InterruptedException {
    var log = settings.log("kafka");
    kafka = KafkaProcess.start(settings.data("kafka"), log, this::port, guardian);
    return null;
  }

  private @Nullable Void startRabbit() throws InterruptedException {
    var log = settings.log("rabbitmq");
    rabbit = RabbitProcess.start(settings.data("rabbitmq"), log, this::port, guardian);
    return null;
  }

  private int port() {
    synchronized (ports) {
      return ports.free();
    }
  }

  /// Every process knows where the others will be.
  private void plan() {
    var next = new int[] {settings.basePort()};
    var places =
        Places.of(
            settings.web(), settings.workers(), () -> next[0] == 0 ? port() : wanted(next[0]++));
    for (var place : places.all()) {
      var launch = new Launch(place.port(), arguments(places, place), keys.environment());
      var program = settings.program().shortLived().with(SMALL);
      var log = settings.log(place.name());
      members.add(new Member(place.name(), place.kind(), program, launch, log, guardian));
    }
  }

  private int wanted(int port) {
    synchronized (ports) {
      return ports.wanted(port);
    }
  }

  private List<String> arguments(Places places, Place place) {
    var arguments = new ArrayList<>(places.arguments(place));
    arguments.addAll(List.of("--data", settings.data(place.name()).toString()));
    arguments.add("--tuntas.database.url=" + database());
    arguments.add("--tuntas.database.connections-max=" + CONNECTIONS);
    redisUrl().ifPresent(url -> arguments.add("--tuntas.redis.url=" + url));
    kafkaServers().ifPresent(at -> arguments.add("--tuntas.kafka.bootstrap-servers=" + at));
    rabbitUrl().ifPresent(url -> arguments.add("--tuntas.rabbitmq.url=" + url));
    arguments.addAll(settings.arguments());
    return arguments;
  }

  /// The JDBC URL of the database.
  public String database() {
    var own = postgres;
    var given = settings.servers().postgres();
    if (own != null) return own.url();
    if (given != null) return given;
    throw new IllegalStateException("there is no database yet");
  }

  private Optional<String> redisUrl() {
    var own = redis;
    return own != null ? Optional.of(own.url()) : Optional.ofNullable(settings.servers().redis());
  }

  /// Where Kafka listens, if it is used.
  public Optional<String> kafkaServers() {
    var own = kafka;
    return own != null
        ? Optional.of(own.servers())
        : Optional.ofNullable(settings.servers().kafka());
  }

  private Optional<String> rabbitUrl() {
    var own = rabbit;
    return own != null
        ? Optional.of(own.url())
        : Optional.ofNullable(settings.servers().rabbitmq());
  }

  /// PostgreSQL, if it was started here.
  public Optional<PostgresProcess> postgres() {
    return Optional.ofNullable(postgres);
  }

  /// Redis, if it was started here.
  public Optional<RedisProcess> redis() {
    return Optional.ofNullable(redis);
  }

  /// Kafka, if it was started here.
  public Optional<KafkaProcess> kafka() {
    return Optional.ofNullable(kafka);
  }

  /// RabbitMQ, if it was started here.
  public Optional<RabbitProcess> rabbit() {
    return Optional.ofNullable(rabbit);
  }

  public ClusterKeys keys() {
    return keys;
  }

  public ClusterSettings settings() {
    return settings;
  }

  public List<Member> members() {
    return List.copyOf(members);
  }

  public List<Member> members(Kind kind) {
    return members.stream().filter(member -> member.kind() == kind).toList();
  }

  public Member first(Kind kind) {
    return members(kind).getFirst();
  }

  /// Asks our own processes to end: those first that others do not need. True if all did so in
  /// order.
  public boolean stopMembers() throws InterruptedException {
    return stop(members, STOP_WITHIN);
  }

  /// All of it in the caller's thread, which may be the last one that still gets to run: whoever is
  /// not gone in time is killed, whatever has become of our other threads.
  static boolean stop(List<Member> members, Duration atMost) throws InterruptedException {
    boolean inOrder = true;
    for (var kinds : STOPPING) {
      var stopping =
          members.stream()
              .filter(member -> kinds.contains(member.kind()) && member.isAlive())
              .toList();
      stopping.forEach(Member::askToEnd);
      long end = System.nanoTime() + atMost.toNanos();
      for (var member : stopping) {
        inOrder &= member.ended(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
      }
    }
    return inOrder;
  }

  /// Stops everything.
  @Override
  public synchronized void close() {
    if (closed) return;
    closed = true;
    try {
      stopMembers();
      closeServers();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      guardian.close();
    }
  }

  private void closeServers() {
    var ownKafka = kafka;
    var ownRabbit = rabbit;
    var ownRedis = redis;
    var ownPostgres = postgres;
    if (ownKafka != null) ownKafka.close();
    if (ownRabbit != null) ownRabbit.close();
    if (ownRedis != null) ownRedis.close();
    if (ownPostgres != null) ownPostgres.close();
  }
}
