package dev.tuntas.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteEngineTest extends EngineOnStore {

  @TempDir Path folder;

  @Override
  Stores open() {
    return Stores.sqlite(folder, InstantSource.system());
  }

  @Test
  void a_callers_own_connection_is_refused_because_it_would_block_the_only_writer()
      throws Exception {
    var saga = plain();
    try (var engine = engine(saga).open();
        var callers = DriverManager.getConnection("jdbc:sqlite::memory:")) {
      assertThatThrownBy(() -> engine.startIn(callers, saga, "o1", new Order("o1", "")))
          .hasMessageContaining("insertWith");
    }
  }
}
