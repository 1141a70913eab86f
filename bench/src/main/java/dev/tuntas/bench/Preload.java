package dev.tuntas.bench;

import static dev.tuntas.bench.BenchSagas.CHECKOUT;
import static dev.tuntas.bench.BenchSagas.DELIVERY;

import dev.tuntas.engine.Engine;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.Publisher;
import dev.tuntas.engine.Status;
import dev.tuntas.store.JacksonDataCodec;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Fills the engine's tables with old sagas. The engine itself makes one of each kind, which is
/// then copied by SQL with its history.
final class Preload {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int BATCH = 50_000;
  private static final String FINISHED = "finished";
  private static final String WAITING = "waiting";

  private static final String COPY_SAGA =
      """
      insert into tuntas_saga (id, {saga})
      with recursive n (i) as (
        select cast({from} as bigint) union all select i + 1 from n where i < {to})
      select '{original}-' || (n.i * 48271 % 2147483647), {saga of o}
        from n, tuntas_saga o where o.id = '{original}'
      """;

  private static final String COPY_HISTORY =
      """
      insert into tuntas_history (saga_no, {history})
      with recursive n (i) as (
        select cast({from} as bigint) union all select i + 1 from n where i < {to})
      select s.no, {history of h}
        from n
        join tuntas_saga s on s.id = '{original}-' || (n.i * 48271 % 2147483647)
        join tuntas_saga o on o.id = '{original}'
        join tuntas_history h on h.saga_no = o.no
      """;

  private final TuntasStore store;
  private final Progress progress;

  Preload(TuntasStore store, Progress progress) {
    this.store = store;
    this.progress = progress;
  }

  void fill(int finished, int waiting) throws SQLException, InterruptedException {
    makeOriginals();
    try (var connection = store.connect()) {
      connection.setAutoCommit(false);
      copy(connection, FINISHED, finished);
      copy(connection, WAITING, waiting);
    }
    progress.phase("settling the tables");
    store.settle();
  }

  private void makeOriginals() throws InterruptedException {
    try (var stores = store.open();
        var engine =
            EngineSetup.on(stores.sagas(), stores.outbox(), new JacksonDataCodec())
                .define(CHECKOUT, DELIVERY)
                .publishTo(Publisher.NOWHERE)
                .open()) {
      engine.start(CHECKOUT, FINISHED, Order.of(FINISHED));
      engine.start(DELIVERY, WAITING, Order.of(WAITING));
      require(engine, FINISHED, Status.DONE);
      require(engine, WAITING, Status.WAITING);
    }
  }

  private static void require(Engine engine, String id, Status wanted) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (engine.find(id).orElseThrow().status() != wanted) {
      if (System.nanoTime() > end) throw new BenchException("saga " + id + " is not " + wanted);
      Thread.sleep(10);
    }
  }

  private void copy(Connection connection, String original, int copies) throws SQLException {
    for (int from = 1; from <= copies; from += BATCH) {
      progress.phase("filling the tables: %s sagas, %,d of %,d".formatted(original, from, copies));
      copy(connection, original, from, Math.min(copies, from + BATCH - 1));
    }
  }

  /// Ids are scattered by multiplication in a prime field, because real ones come in no order.
  private static void copy(Connection connection, String original, int from, int to)
      throws SQLException {
    var saga = columns(connection, "tuntas_saga", "no", "id");
    var history = columns(connection, "tuntas_history", "saga_no");
    var texts =
        Map.of(
            "{from}", Integer.toString(from),
            "{to}", Integer.toString(to),
            "{original}", original,
            "{saga}", String.join(", ", saga),
            "{saga of o}", "o." + String.join(", o.", saga),
            "{history}", String.join(", ", history),
            "{history of h}", "h." + String.join(", h.", history));
    try (var statement = connection.createStatement()) {
      statement.executeUpdate(with(texts, COPY_SAGA));
      statement.executeUpdate(with(texts, COPY_HISTORY));
      connection.commit();
    }
  }

  private static String with(Map<String, String> texts, String sql) {
    var filled = sql;
    for (var text : texts.entrySet()) filled = filled.replace(text.getKey(), text.getValue());
    return filled;
  }

  /// All columns of a table but those.
  private static List<String> columns(Connection connection, String table, String... without)
      throws SQLException {
    var names = new ArrayList<String>();
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("select * from " + table + " limit 0")) {
      var meta = rows.getMetaData();
      for (int i = 1; i <= meta.getColumnCount(); i++) names.add(meta.getColumnName(i));
    }
    names.removeAll(List.of(without));
    return names;
  }
}
