package dev.tuntas.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.engine.StoreException;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteTablesTest {

  @TempDir Path folder;

  @Nested
  class InAFileOfTheirOwn implements TablesRules {

    private Tables tables;

    @BeforeEach
    void open() {
      tables = Tables.sqlite(folder, SHOP);
    }

    @AfterEach
    void close() {
      tables.close();
    }

    @Override
    public Tables tables() {
      return tables;
    }

    @Test
    void they_outlive_the_process() {
      tables.write("add", s -> s.update("insert into shop_item (name, stock) values ('tea', 1)"));
      tables.close();
      open();
      assertThat(
              tables.<Integer>read(
                  "count",
                  s -> s.first("select count(*) from shop_item", r -> r.getInt(1)).orElse(0)))
          .isEqualTo(1);
    }

    @Test
    void nobody_else_opens_their_folder() {
      assertThatThrownBy(() -> Tables.sqlite(folder, SHOP))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("in use by another process");
    }
  }

  @Nested
  class BesideTheEngine implements TablesRules {

    private Stores stores;
    private Tables tables;

    @BeforeEach
    void open() {
      stores = Stores.sqlite(folder, InstantSource.system());
      tables = stores.tables(SHOP);
    }

    @AfterEach
    void close() {
      stores.close();
    }

    @Override
    public Tables tables() {
      return tables;
    }

    @Test
    void they_are_found_again() {
      stores.close();
      open();
      tables.ping();
    }
  }

  @Nested
  class InMemory implements TablesRules {

    private final Tables tables = Tables.inMemory(SHOP);

    @AfterEach
    void close() {
      tables.close();
    }

    @Override
    public Tables tables() {
      return tables;
    }
  }
}
