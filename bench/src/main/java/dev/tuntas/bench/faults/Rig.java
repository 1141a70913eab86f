package dev.tuntas.bench.faults;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.StoreKind;
import dev.tuntas.bench.chaos.Quiet;
import dev.tuntas.bench.cluster.Guardian;
import dev.tuntas.bench.cluster.KafkaProcess;
import dev.tuntas.bench.cluster.Ports;
import dev.tuntas.bench.cluster.PostgresProcess;
import dev.tuntas.bench.cluster.RabbitProcess;
import dev.tuntas.bench.cluster.RedisProcess;
import dev.tuntas.bench.faults.Fault.Part;
import dev.tuntas.bench.server.ServerProcess;
import dev.tuntas.bench.server.ServerProcess.Launch;
import dev.tuntas.bench.server.ServerProgram;
import dev.tuntas.bench.verify.Archive;
import dev.tuntas.store.PostgresSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The server in a process of its own, its store, and whatever else a fault needs, all on loopback.
/// A server that ends by itself is started again, as its supervisor would.
final class Rig implements AutoCloseable {

  static final String CLIENT_KEY = "client-key-of-the-faults-run";
  static final String ADMIN_KEY = "admin-key-of-the-faults-run";

  private static final Duration START_WITHIN = Duration.ofMinutes(2);
  private static final Duration START_AGAIN_AFTER = Duration.ofSeconds(1);

  /// How long doubt may last before a person is asked.
  private static final Duration GIVE_UP = Duration.ofSeconds(8);

  private final StoreKind store;
  private final Path folder;
  private ServerProgram program;
  private final Guardian guardian = Guardian.start();
  private final Ports ports = new Ports();
  private final int port = ports.free();
  private final List<String> arguments = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private final Map<String, String> postgresSettings = new HashMap<>();
  private final Map<Part, Wire> wires = new HashMap<>();
  private final List<AutoCloseable> last = new ArrayList<>();
  private @Nullable PostgresProcess postgres;
  private int postgresPort;
  private @Nullable Crowd crowd;
  private @Nullable RedisProcess redis;
  private @Nullable KafkaProcess kafka;
  private @Nullable RabbitProcess rabbit;
  private @Nullable Thread supervisor;
  private volatile @Nullable ServerProcess server;
  private volatile boolean up;
  private final AtomicInteger restarts = new AtomicInteger();

  Rig(StoreKind store, Path folder, ServerProgram program) throws IOException {
    this.store = store;
    this.folder = folder;
    this.program = program;
    Files.createDirectories(folder);
    environment.put("TUNTAS_CLIENT_KEY", CLIENT_KEY);
    environment.put("TUNTAS_ADMIN_KEY", ADMIN_KEY);
    arguments.add("--tuntas.saga.give-up=" + GIVE_UP.toSeconds() + "s");
    arguments.add("--tuntas.ride.news-wait=5s");
    arguments.add("--tuntas.rate-limit.per-second=0");
  }

  /// Something that is closed when everything else is.
  void closeLast(AutoCloseable thing) {
    last.add(thing);
  }

  StoreKind store() {
    return store;
  }

  /// Where everything of this run is.
  Path folder() {
    return folder;
  }

  /// The server's own folder.
  Path data() {
    return folder.resolve("data");
  }

  /// PostgreSQL's folder.
  Path postgresData() {
    return folder.resolve("postgres");
  }

  Path log() {
    return folder.resolve("server.log");
  }

  /// One more argument for the server.
  void argument(String argument) {
    arguments.add(argument);
  }

  /// More options for the server's JVM.
  void jvm(String... options) {
    program = program.with(List.of(options));
  }

  /// One more variable for the server.
  void variable(String name, String value) {
    environment.put(name, value);
  }

  /// Another setting of PostgreSQL.
  void postgresSetting(String name, String value) {
    postgresSettings.put(name, value);
  }

  void startParts(Set<Part> parts) throws InterruptedException {
    if (store == StoreKind.POSTGRES) startPostgres(parts.contains(Part.DATABASE_WIRE));
    if (parts.contains(Part.REDIS)) startRedis();
    if (parts.contains(Part.KAFKA)) startKafka();
    if (parts.contains(Part.RABBITMQ)) startRabbit();
  }

  private void startPostgres(boolean withWire) {
    int at = ports.free();
    postgresPort = at;
    var log = folder.resolve("postgres.log");
    postgres = PostgresProcess.start(postgresData(), log, at, guardian, postgresSettings);
    if (withWire) wires.put(Part.DATABASE_WIRE, new Wire(at));
    arguments.add("--tuntas.database.url=" + serverUrl());
  }

  /// As the server reaches the database.
  private String serverUrl() {
    var wire = wires.get(Part.DATABASE_WIRE);
    return wire == null ? database() : urlAt(wire.port());
  }

  static String urlAt(int port) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
  }

  private void startRedis() throws InterruptedException {
    int at = ports.free();
    redis = RedisProcess.start(folder.resolve("redis"), folder.resolve("redis.log"), at, guardian);
    var wire = new Wire(at);
    wires.put(Part.REDIS, wire);
    arguments.add("--tuntas.redis.url=redis://127.0.0.1:" + wire.port());
  }

  private void startKafka() throws InterruptedException {
    var log = folder.resolve("kafka.log");
    kafka =
        KafkaProcess.start(folder.resolve("kafka"), log, ports::free, this::wireKafka, guardian);
    var at = wire(Part.KAFKA).port();
    arguments.add("--tuntas.kafka.bootstrap-servers=127.0.0.1:" + at);
    arguments.add("--tuntas.inventory.driven-by=messages");
  }

  private void startRabbit() throws InterruptedException {
    var log = folder.resolve("rabbitmq.log");
    rabbit = RabbitProcess.start(folder.resolve("rabbitmq"), log, ports::free, guardian);
    var wire = new Wire(URI.create(rabbit.url()).getPort());
    wires.put(Part.RABBITMQ, wire);
    arguments.add("--tuntas.rabbitmq.url=amqp://guest:guest@127.0.0.1:" + wire.port());
    arguments.add("--tuntas.inventory.driven-by=messages");
  }

  private int wireKafka(int port) {
    var wire = new Wire(port);
    wires.put(Part.KAFKA, wire);
    return wire.port();
  }

  Wire wire(Part to) {
    return Objects.requireNonNull(wires.get(to), () -> "there is no wire to " + to);
  }

  PostgresProcess postgres() {
    return Objects.requireNonNull(postgres, "there is no PostgreSQL");
  }

  int postgresPort() {
    return postgresPort;
  }

  /// From now on this one is the database, and the wire leads to it. The old one goes on.
  void failOver(PostgresProcess to, int port) {
    postgres = to;
    wire(Part.DATABASE_WIRE).lead(port);
  }

  void crowd(Crowd all) {
    crowd = all;
  }

  /// Customers who come when they are called.
  Crowd crowd() {
    return Objects.requireNonNull(crowd, "nobody is there yet");
  }

  KafkaProcess kafka() {
    return Objects.requireNonNull(kafka, "there is no Kafka");
  }

  RedisProcess redis() {
    return Objects.requireNonNull(redis, "there is no Redis");
  }

  RabbitProcess rabbit() {
    return Objects.requireNonNull(rabbit, "there is no RabbitMQ");
  }

  int freePort() {
    return ports.free();
  }

  Guardian guardian() {
    return guardian;
  }

  /// As somebody else reaches the database.
  String database() {
    return postgres().url();
  }

  /// Begins a life of the server.
  ServerProcess launch() {
    var all = new ArrayList<>(List.of("--data", data().toString()));
    all.addAll(arguments);
    var started = ServerProcess.start(program, log(), new Launch(port, all, environment));
    guardian.watch(started.handle(), Guardian.Signal.KILL);
    server = started;
    return started;
  }

  /// Begins a life of the server, waits until it listens, and starts it again whenever it ends.
  URI startServer() throws InterruptedException {
    launch().await(START_WITHIN);
    up = true;
    supervisor = Thread.ofPlatform().daemon().name("supervisor").start(this::supervise);
    return address().orElseThrow();
  }

  private void supervise() {
    try {
      while (true) {
        server().handle().onExit().join();
        if (!up) return;
        Thread.sleep(START_AGAIN_AFTER);
        if (!up) return;
        restarts.incrementAndGet();
        launch();
      }
    } catch (InterruptedException _) {
      // closed
    }
  }

  ServerProcess server() {
    return Objects.requireNonNull(server, "the server was never started");
  }

  /// Where the server listens while it does.
  Optional<URI> address() {
    return up ? Optional.of(URI.create("http://127.0.0.1:" + port)) : Optional.empty();
  }

  /// How often the server ended by itself.
  int restarts() {
    return restarts.get();
  }

  /// How many lines the server has printed.
  long lines() throws IOException {
    if (!Files.exists(log())) return 0;
    try (var lines = Files.lines(log(), StandardCharsets.ISO_8859_1)) {
      return lines.count();
    }
  }

  /// What the server keeps. It must not run any more if that is to be complete.
  Archive archive() {
    return store == StoreKind.SQLITE
        ? Archive.in(data())
        : Archive.at(PostgresSettings.of(database(), null, null));
  }

  Quiet quiet() {
    return store == StoreKind.SQLITE ? Quiet.in(data()) : Quiet.at(database());
  }

  /// As an operator does who knows no other way.
  void restartServer() throws InterruptedException {
    stopServer();
    if (supervisor != null) supervisor.join();
    startServer();
  }

  /// Asks the server to end. True if it did so in order.
  boolean stopServer() throws InterruptedException {
    up = false;
    return server().stop();
  }

  @Override
  public void close() {
    up = false;
    if (supervisor != null) supervisor.interrupt();
    var running = server;
    if (running != null) running.close();
    wires.values().forEach(Wire::close);
    if (kafka != null) kafka.close();
    if (redis != null) redis.close();
    if (rabbit != null) rabbit.close();
    try {
      if (postgres != null) postgres.close();
    } finally {
      guardian.close();
      last.forEach(Rig::close);
    }
  }

  private static void close(AutoCloseable thing) {
    try {
      thing.close();
    } catch (Exception e) {
      throw new BenchException("something was left behind: " + e.getMessage(), e);
    }
  }
}
