package dev.tuntas.store;

import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class SqliteCompanionsTest implements CompanionsRules {

  @TempDir Path folder;
  private Stores stores;

  @BeforeEach
  void open() {
    stores = Stores.sqlite(folder, InstantSource.system());
  }

  @AfterEach
  void close() {
    stores.close();
  }

  @Override
  public Stores stores() {
    return stores;
  }
}
