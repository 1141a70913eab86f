package dev.tuntas.store;

import dev.tuntas.testservers.TestPostgres;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

class PostgresTablesIT {

  private String url;

  @BeforeEach
  void newDatabase() throws SQLException {
    url = TestPostgres.newDatabase();
  }

  @AfterEach
  void dropDatabase() throws SQLException {
    TestPostgres.drop(url);
  }

  @Nested
  class InASchemaOfTheirOwn implements TablesRules {

    private Tables tables;

    @BeforeEach
    void open() {
      tables = Tables.postgres(PostgresSettings.of(url, null, null), SHOP);
    }

    @AfterEach
    void close() {
      tables.close();
    }

    @Override
    public Tables tables() {
      return tables;
    }
  }

  @Nested
  class BesideTheEngine implements TablesRules, CompanionsRules {

    private Stores stores;
    private Tables tables;

    @BeforeEach
    void open() {
      stores = Stores.postgres(PostgresSettings.of(url, null, null));
      tables = stores.tables(SHOP);
    }

    @AfterEach
    void close() {
      stores.close();
    }

    @Override
    public Tables tables() {
      return tables;
    }

    @Override
    public Stores stores() {
      return stores;
    }
  }
}
