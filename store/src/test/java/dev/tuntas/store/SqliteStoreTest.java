package dev.tuntas.store;

import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.SagaStore;
import dev.tuntas.testkit.SagaStoreContract;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest extends SagaStoreContract {

  @TempDir private Path folder;
  private Stores stores;

  @Override
  protected SagaStore open() {
    return reopen();
  }

  @Override
  protected SagaStore reopen() {
    stores = Stores.sqlite(folder, InstantSource.system());
    return stores.sagas();
  }

  @Override
  public Outbox outbox() {
    return stores.outbox();
  }
}
