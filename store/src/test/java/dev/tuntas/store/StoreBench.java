package dev.tuntas.store;

import static dev.tuntas.store.Batch.DEADLINE;
import static dev.tuntas.store.Batch.START;

import dev.tuntas.engine.SagaStore;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write;
import dev.tuntas.saga.Notice;
import dev.tuntas.testservers.TestPostgres;
import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Measures commits of mixed batches, store and database only: `StoreBench sqlite|postgres callers
/// batch seconds`. A saga is one insert and three moves, the last of which ends it with a notice.
/// For PostgreSQL add `-Dtuntas.test.pg.fsync=on`.
final class StoreBench {

  private static final String DATA =
      "{\"order_id\":\"%s\",\"customer\":\"c-20261107\",\"amount\":{\"minor_units\":129900,"
          + "\"currency\":\"IDR\"},\"lines\":[{\"sku\":\"A-1\",\"quantity\":2}],\"paid\":%d}";

  private record Saga(String id, long version) {}

  private final SagaStore store;
  private final int node;
  private final int kind;

  private StoreBench(SagaStore store) {
    this.store = store;
    this.node = store.join("bench");
    this.kind = Batch.kind(store);
  }

  public static void main(String[] args) throws Exception {
    int callers = Integer.parseInt(args[1]);
    int batch = Integer.parseInt(args[2]);
    var span = Duration.ofSeconds(Integer.parseInt(args[3]));
    try (var stores = open(args[0])) {
      var bench = new StoreBench(stores.sagas());
      for (int round = 0; round < 3; round++) bench.measure(callers, batch, span);
    }
    System.exit(0); // the embedded server has threads of its own
  }

  private static Stores open(String database) throws Exception {
    return database.equals("sqlite")
        ? Stores.sqlite(Files.createTempDirectory("tuntas-bench"), InstantSource.system())
        : Stores.postgres(PostgresSettings.of(TestPostgres.newDatabase(), null, null));
  }

  private void measure(int callers, int batch, Duration span) throws Exception {
    long begun = System.nanoTime();
    long end = begun + span.toNanos();
    var nanos = new ArrayList<Long>();
    try (var threads = Executors.newFixedThreadPool(callers)) {
      var calls = new ArrayList<Future<List<Long>>>();
      for (int i = 0; i < callers; i++) {
        var chance = new SplittableRandom(begun + i);
        calls.add(threads.submit(() -> commitUntil(end, batch, chance)));
      }
      for (var call : calls) nanos.addAll(call.get());
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    nanos.sort(null);
    System.out.printf(
        "%,.0f entries/s; a batch of %d in ms: p50 %.2f, p99 %.2f%n",
        nanos.size() * batch / seconds,
        batch,
        nanos.get(nanos.size() / 2) / 1e6,
        nanos.get(nanos.size() * 99 / 100) / 1e6);
  }

  private List<Long> commitUntil(long end, int size, SplittableRandom chance) {
    var inFlight = new ArrayDeque<Saga>();
    var nanos = new ArrayList<Long>();
    while (System.nanoTime() < end) {
      var next = new ArrayList<Saga>();
      var batch = batch(size, inFlight, next, chance);
      long before = System.nanoTime();
      int written = store.commit(node, batch).cardinality();
      nanos.add(System.nanoTime() - before);
      if (written != size) throw new IllegalStateException(written + " of " + size);
      inFlight.addAll(next);
    }
    return nanos;
  }

  private List<Write> batch(int size, Queue<Saga> from, List<Saga> next, SplittableRandom chance) {
    var batch = new ArrayList<Write>(size);
    while (batch.size() < size) {
      var saga = batch.size() % 4 == 0 ? null : from.poll();
      if (saga == null) {
        var id = new UUID(chance.nextLong(), chance.nextLong()).toString();
        batch.add(Batch.insert(id, kind, DATA.formatted(id, 0)));
        next.add(new Saga(id, 1));
      } else {
        batch.add(move(saga));
        if (saga.version < 3) next.add(new Saga(saga.id, saga.version + 1));
      }
    }
    return batch;
  }

  private static Write move(Saga saga) {
    boolean last = saga.version == 3;
    var data = DATA.formatted(saga.id, saga.version);
    return new Write.Move(
        saga.id,
        saga.version,
        last ? Status.DONE : Status.RUNNING,
        0,
        null,
        null,
        "trying step " + saga.version,
        data,
        "pay: succeeded, next is stock, by " + DEADLINE,
        last ? List.of(new Notice("order.done", data)) : List.of(),
        List.of(),
        START);
  }
}
