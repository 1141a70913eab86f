package dev.tuntas.simulator;

import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.Tables;
import dev.tuntas.testservers.TestPostgres;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// The same on PostgreSQL, where transactions run side by side.
class PostgresDispatchRacesIT extends DispatchRaces {

  private static String url;

  @BeforeAll
  static void makeDatabase() {
    url = TestPostgres.newDatabase();
  }

  @AfterAll
  static void dropDatabase() throws SQLException {
    TestPostgres.drop(url);
  }

  @Override
  Tables open() {
    return Tables.postgres(PostgresSettings.of(url, null, null), SimulatedDispatch.TABLES);
  }
}
