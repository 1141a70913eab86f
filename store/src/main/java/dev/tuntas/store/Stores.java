package dev.tuntas.store;

import dev.tuntas.engine.ConsumerInbox;
import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.SagaStore;
import dev.tuntas.store.Nodes.StoreTime;
import java.nio.file.Path;
import java.time.InstantSource;

/// All that the engine keeps in one database. Opening one refuses, with a sentence and before
/// anything is touched, a database that is damaged, newer than the program, or not ours.
public record Stores(SagaStore sagas, Outbox outbox, ConsumerInbox consumers)
    implements AutoCloseable {

  /// SQLite in a folder of its own, for one process. The clock is the store's time.
  public static Stores sqlite(Path folder, InstantSource clock) {
    var database = SqliteDatabase.open(folder);
    try {
      var nodes = new Nodes(database, StoreTime.of(clock));
      nodes.buryEarlier();
      return on(database, new SqliteBatches(), nodes);
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  /// PostgreSQL 15 or later, for any number of processes. The server's clock is the store's time.
  public static Stores postgres(PostgresSettings settings) {
    var database = PostgresDatabase.open(settings);
    return on(database, new PostgresBatches(), new Nodes(database, StoreTime.ofServer()));
  }

  private static Stores on(Database database, Batches batches, Nodes nodes) {
    return new Stores(
        new JdbcSagaStore(database, batches, nodes),
        new JdbcOutbox(database),
        new JdbcConsumerInbox(database));
  }

  @Override
  public void close() {
    sagas.close();
  }
}
