package dev.tuntas.store;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SharedCommitsTest extends SharedCommitsRules {

  @TempDir private Path folder;

  @Override
  Tables open() {
    return Tables.sqlite(folder, TablesRules.SHOP);
  }
}
