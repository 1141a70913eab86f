package dev.tuntas.areas;

import dev.tuntas.store.Stores;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;

class SqliteSlotsTest extends SlotsContract {

  @TempDir private Path folder;

  @Override
  Stores openStores() {
    return Stores.sqlite(folder, InstantSource.system());
  }
}
