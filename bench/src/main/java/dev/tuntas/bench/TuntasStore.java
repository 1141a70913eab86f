package dev.tuntas.bench;

import dev.tuntas.bench.PostgresServer.Schema;
import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.Stores;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;

/// Where the engine keeps its sagas, and how to look into its tables from outside.
sealed interface TuntasStore extends Connector {

  Stores open();

  /// Does what a database does sooner or later by itself, before something is measured.
  void settle() throws SQLException;

  /// How many rows an entry is, besides its notices and what it settles.
  int rowsPerEntry();

  record Sqlite(Path folder) implements TuntasStore {

    @Override
    public Stores open() {
      return Stores.sqlite(folder, InstantSource.system());
    }

    /// The saga's, which has the line in it.
    @Override
    public int rowsPerEntry() {
      return 1;
    }

    @Override
    public void settle() throws SQLException {
      run("pragma wal_checkpoint(truncate)");
    }

    @Override
    public Connection connect() throws SQLException {
      return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("tuntas.db"));
    }
  }

  record Postgres(Schema schema) implements TuntasStore {

    @Override
    public Stores open() {
      return Stores.postgres(PostgresSettings.of(schema.url(), schema.user(), schema.password()));
    }

    /// The saga's, which has the line in it.
    @Override
    public int rowsPerEntry() {
      return 1;
    }

    @Override
    public void settle() throws SQLException {
      run("vacuum analyze tuntas_saga", "vacuum analyze tuntas_history", "checkpoint");
    }

    @Override
    public Connection connect() throws SQLException {
      return schema.connect();
    }
  }
}
