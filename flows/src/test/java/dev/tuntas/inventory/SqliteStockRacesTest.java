package dev.tuntas.inventory;

import dev.tuntas.store.Tables;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteStockRacesTest extends StockRaces {

  @TempDir private Path folder;

  @Override
  Tables open() {
    return Tables.sqlite(folder, StockRoom.TABLES);
  }
}
