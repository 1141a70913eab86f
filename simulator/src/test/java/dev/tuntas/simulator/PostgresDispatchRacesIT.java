package dev.tuntas.simulator;

import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.Tables;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// The same on PostgreSQL, where transactions run side by side.
class PostgresDispatchRacesIT extends DispatchRaces {

  private static EmbeddedPostgres server;

  @BeforeAll
  static void start() throws IOException {
    server = EmbeddedPostgres.builder().setServerConfig("fsync", "off").start();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @Override
  Tables open() {
    var url = server.getJdbcUrl("postgres", "postgres");
    return Tables.postgres(PostgresSettings.of(url, null, null), SimulatedDispatch.TABLES);
  }
}
