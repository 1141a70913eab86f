package dev.tuntas.server.areas;

import dev.tuntas.areas.Admission.Customer;
import dev.tuntas.areas.AdmissionDecision.Admitted;
import dev.tuntas.areas.AreaDesk;
import dev.tuntas.areas.AreaDesk.Question;
import dev.tuntas.areas.Loyalty;
import dev.tuntas.areas.Place;
import dev.tuntas.areas.Slots;
import dev.tuntas.server.Client;
import dev.tuntas.server.TestServer;
import dev.tuntas.store.Tables;
import dev.tuntas.testservers.TestPostgres;
import dev.tuntas.testservers.TestRedis;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/// Measures the availability check on PostgreSQL with and without the waiting sets in Redis:
/// `CheckBench callers seconds`. The desk alone, and the whole server, in turns; client, server and
/// databases share the machine.
final class CheckBench {

  private static final Place MIDDLE = new Place(-6.2088, 106.8456);
  private static final Question QUESTION =
      new Question(MIDDLE, "RIDE", new Customer(Loyalty.EXPLORER, "MYBB"));
  private static final String BODY =
      """
      {"pickup_location":{"latitude":-6.2088,"longitude":106.8456},"service_type":"RIDE",
       "channel":"MYBB"}\
      """;
  private static final int WAITING = 40;
  private static final int ROUNDS = 3;

  private final int callers;
  private final Duration span;

  private CheckBench(int callers, Duration span) {
    this.callers = callers;
    this.span = span;
  }

  public static void main(String[] args) throws Exception {
    var bench =
        new CheckBench(Integer.parseInt(args[0]), Duration.ofSeconds(Integer.parseInt(args[1])));
    try (var redis = TestRedis.start()) {
      var with = start("--tuntas.redis.url=" + redis.url());
      var without = start("--tuntas.redis.timeout=50ms");
      for (int round = 0; round < ROUNDS; round++) {
        bench.measure("desk, PostgreSQL", () -> without.bean(AreaDesk.class).check(QUESTION));
        bench.measure("desk, mirror", () -> with.bean(AreaDesk.class).check(QUESTION));
        bench.measure("HTTP, PostgreSQL", http(without));
        bench.measure("HTTP, mirror", http(with));
        redis.stopAnswering();
        bench.measure("HTTP, mute Redis", http(with));
        redis.goOn();
      }
      with.stop();
      without.stop();
    }
    System.exit(0); // the embedded server has threads of its own
  }

  private static TestServer start(String setting) throws Exception {
    var server =
        TestServer.start(
            Files.createTempDirectory("check-bench"),
            setting,
            "--tuntas.database.url=" + TestPostgres.newDatabase(),
            "--tuntas.rate-limit.per-second=0",
            "--tuntas.credentials.client-key=" + TestServer.CLIENT_KEY);
    var tables = server.context().getBean("areaTables", Tables.class);
    var desk = server.bean(AreaDesk.class);
    for (int i = 0; i < WAITING; i++) {
      var wanted = desk.wanted("ord_" + i, (Admitted) desk.ask(QUESTION));
      tables.write("take", session -> Slots.take(session, wanted, Instant.now()));
    }
    return server;
  }

  private static Callable<?> http(TestServer server) {
    var client = new Client(server, TestServer.CLIENT_KEY);
    return () -> {
      var answer = client.post("/api/v1/dispatcher/availability-check", BODY);
      if (answer.status() != 200) throw new AssertionError(answer.body());
      return answer;
    };
  }

  private void measure(String what, Callable<?> check) throws Exception {
    run(check, Duration.ofSeconds(2));
    var times = run(check, span);
    Arrays.sort(times);
    IO.println(
        "%-18s %8.0f/s  p50 %5d us  p99 %5d us"
            .formatted(
                what,
                times.length / (span.toMillis() / 1000.0),
                times[times.length / 2] / 1000,
                times[(int) (times.length * 0.99)] / 1000));
  }

  private long[] run(Callable<?> check, Duration time) throws Exception {
    long end = System.nanoTime() + time.toNanos();
    var runs = new ArrayList<Callable<long[]>>();
    for (int i = 0; i < callers; i++) runs.add(() -> repeat(check, end));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = new ArrayList<long[]>();
      for (var one : threads.invokeAll(runs)) all.add(one.get());
      return all.stream().flatMapToLong(Arrays::stream).toArray();
    }
  }

  private static long[] repeat(Callable<?> check, long end) throws Exception {
    var times = new ArrayList<Long>();
    for (long began = System.nanoTime(); began < end; began = System.nanoTime()) {
      check.call();
      times.add(System.nanoTime() - began);
    }
    return times.stream().mapToLong(it -> it).toArray();
  }
}
