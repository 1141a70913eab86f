package dev.tuntas.inventory;

import dev.tuntas.store.Tables;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteStockRoomTest extends InventoryContract {

  @TempDir private Path folder;

  @Override
  protected Tables open() {
    return Tables.sqlite(folder, StockRoom.TABLES);
  }
}
