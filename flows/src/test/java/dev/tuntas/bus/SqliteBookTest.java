package dev.tuntas.bus;

import dev.tuntas.store.Tables;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteBookTest extends BookRules {

  @TempDir Path folder;

  @Override
  Tables open() {
    return Tables.sqlite(folder, MessageBook.TABLES);
  }
}
