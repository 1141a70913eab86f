package dev.tuntas.simulator;

import dev.tuntas.store.Tables;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteDispatchRacesTest extends DispatchRaces {

  @TempDir private Path folder;

  @Override
  Tables open() {
    return Tables.sqlite(folder, SimulatedDispatch.TABLES);
  }
}
