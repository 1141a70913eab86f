package dev.tuntas.simulator;

import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteMoneyRacesTest extends MoneyRaces {

  @TempDir private Path folder;

  @Override
  Tables open(TableSet set) {
    return Tables.sqlite(folder.resolve(set.name()), set);
  }
}
