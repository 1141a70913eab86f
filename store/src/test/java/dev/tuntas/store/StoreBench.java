package dev.tuntas.store;

import dev.tuntas.engine.SagaStore.Shape;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write;
import dev.tuntas.saga.Notice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Measures commits of mixed batches, store and database only: `StoreBench sqlite|postgres
/// [callers] [batch] [seconds] [random|sorted]`.
final class StoreBench {

  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final String DATA =
      "{\"order_id\":\"%s\",\"customer\":\"c-20261107\",\"amount\":{\"minor_units\":129900,"
          + "\"currency\":\"IDR\"},\"lines\":[{\"sku\":\"A-1\",\"quantity\":2}],\"paid\":\"%d\"}";

  record Saga(String id, long version) {}

  public static void main(String[] args) throws Exception {
    int callers = args.length > 1 ? Integer.parseInt(args[1]) : 1;
    int batch = args.length > 2 ? Integer.parseInt(args[2]) : 250;
    int seconds = args.length > 3 ? Integer.parseInt(args[3]) : 10;
    boolean random = args.length <= 4 || args[4].equals("random");
    try (var stores = open(args[0])) {
      int node = stores.sagas().join("bench");
      int kind =
          stores.sagas().register(List.of(new Shape("bench", 1, "x"))).values().iterator().next();
      for (int round = 0; round < 3; round++) {
        run(stores, node, kind, callers, batch, seconds, random);
      }
    }
    System.exit(0);
  }

  private static Stores open(String which) throws Exception {
    if (which.equals("sqlite")) {
      var folder =
          Files.createTempDirectory(Path.of(System.getProperty("bench.dir", "/tmp")), "bench");
      return Stores.sqlite(folder, InstantSource.system());
    }
    url = TestPostgres.newDatabase();
    return Stores.postgres(TestPostgres.settings(url));
  }

  private static void run(
      Stores stores, int node, int kind, int callers, int batch, int seconds, boolean random)
      throws Exception {
    long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    long begun = System.nanoTime();
    long cpu = processCpu();
    long server = serverCpuNanos(stores);
    long entries = 0;
    var times = new ArrayList<Long>();
    try (var threads = Executors.newFixedThreadPool(callers)) {
      var futures = new ArrayList<Future<List<Long>>>();
      for (int i = 0; i < callers; i++) {
        int seed = i;
        futures.add(
            threads.submit(
                () ->
                    call(
                        stores,
                        node,
                        kind,
                        batch,
                        end,
                        new SplittableRandom(System.nanoTime() + seed),
                        random)));
      }
      for (var future : futures) times.addAll(future.get());
    }
    entries = (long) times.size() * batch;
    double took = (System.nanoTime() - begun) / 1e9;
    var sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
    System.out.printf(
        "%,.0f entries/s, %d batches, ms p50 %.2f p99 %.2f max %.2f, cpu us/entry: commit %.1f java"
            + " %.1f server %.1f%n",
        entries / took,
        times.size(),
        sorted[sorted.length / 2] / 1e6,
        sorted[sorted.length * 99 / 100] / 1e6,
        sorted[sorted.length - 1] / 1e6,
        commitCpu.sumThenReset() / 1e3 / entries,
        (processCpu() - cpu) / 1e3 / entries,
        (serverCpuNanos(stores) - server) / 1e3 / entries);
  }

  private static long processCpu() {
    return ((com.sun.management.OperatingSystemMXBean)
            java.lang.management.ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static long serverCpuNanos(Stores stores) {
    if (url == null) return 0;
    try (var c = TestPostgres.connect(url);
        var st = c.createStatement();
        var r = st.executeQuery("select pg_backend_pid()")) {
      r.next();
      long parent = stat(r.getLong(1))[1];
      long sum = 0;
      for (var p : ProcessHandle.of(parent).orElseThrow().children().toList())
        sum += stat(p.pid())[0];
      return sum + stat(parent)[0];
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static long[] stat(long pid) throws Exception {
    var text = Files.readString(Path.of("/proc/" + pid + "/stat"));
    var f = text.substring(text.lastIndexOf(')') + 2).split(" ");
    return new long[] {
      (Long.parseLong(f[11])
              + Long.parseLong(f[12])
              + Long.parseLong(f[13])
              + Long.parseLong(f[14]))
          * 10_000_000L,
      Long.parseLong(f[1])
    };
  }

  private static String url;
  private static final java.lang.management.ThreadMXBean THREADS =
      java.lang.management.ManagementFactory.getThreadMXBean();
  private static final java.util.concurrent.atomic.LongAdder commitCpu =
      new java.util.concurrent.atomic.LongAdder();

  private static List<Long> call(
      Stores stores,
      int node,
      int kind,
      int batch,
      long end,
      SplittableRandom chance,
      boolean random) {
    var inFlight = new ArrayDeque<Saga>();
    var times = new ArrayList<Long>();
    while (System.nanoTime() < end) {
      var writes = new ArrayList<Write>(batch);
      var next = new ArrayList<Saga>(batch);
      while (writes.size() < batch) {
        if (writes.size() % 4 == 0 || inFlight.isEmpty()) {
          var id =
              new UUID(random ? chance.nextLong() : (System.nanoTime() << 8), chance.nextLong())
                  .toString();
          writes.add(
              new Write.Insert(
                  id,
                  kind,
                  Status.RUNNING,
                  0,
                  null,
                  START,
                  "trying pay 1",
                  DATA.formatted(id, 0),
                  "accepted",
                  List.of(),
                  START));
          next.add(new Saga(id, 1));
        } else {
          var saga = inFlight.pop();
          boolean last = saga.version == 3;
          writes.add(
              new Write.Move(
                  saga.id,
                  saga.version,
                  last ? Status.DONE : Status.RUNNING,
                  0,
                  null,
                  "trying pay " + saga.version,
                  DATA.formatted(saga.id, saga.version),
                  "pay: succeeded, next is stock",
                  last ? List.of(new Notice("order.done", DATA.formatted(saga.id, 9))) : List.of(),
                  List.of(),
                  START));
          if (!last) next.add(new Saga(saga.id, saga.version + 1));
        }
      }
      long cpu = THREADS.getCurrentThreadCpuTime();
      long before = System.nanoTime();
      int written = stores.sagas().commit(node, writes).cardinality();
      times.add(System.nanoTime() - before);
      commitCpu.add(THREADS.getCurrentThreadCpuTime() - cpu);
      if (written != batch) throw new IllegalStateException(written + " of " + batch);
      inFlight.addAll(next);
    }
    return times;
  }
}
