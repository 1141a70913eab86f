package dev.tuntas.orders;

import dev.tuntas.store.Stores;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;

class SqliteOrderDeskTest extends OrderDeskContract {

  @TempDir Path folder;

  @Override
  Stores openStores() {
    return Stores.sqlite(folder, InstantSource.system());
  }
}
