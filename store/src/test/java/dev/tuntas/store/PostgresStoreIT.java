package dev.tuntas.store;

import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.SagaStore;
import dev.tuntas.testkit.SagaStoreContract;
import dev.tuntas.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Each test has a database of its own.
@Execution(ExecutionMode.CONCURRENT)
class PostgresStoreIT extends SagaStoreContract {

  private String url;
  private Stores stores;
  private final List<Stores> opened = new ArrayList<>();

  @Override
  protected SagaStore open() {
    url = TestPostgres.newDatabase();
    return reopen();
  }

  @Override
  protected SagaStore reopen() {
    stores = Stores.postgres(PostgresSettings.of(url, null, null));
    opened.add(stores);
    return stores.sagas();
  }

  @Override
  public Outbox outbox() {
    return stores.outbox();
  }

  @Override
  public Optional<Connection> connection() throws SQLException {
    return Optional.of(TestPostgres.connect(url));
  }

  @AfterEach
  void dropDatabase() throws SQLException {
    opened.forEach(Stores::close);
    TestPostgres.drop(url);
  }
}
