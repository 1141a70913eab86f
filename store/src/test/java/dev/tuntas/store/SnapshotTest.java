package dev.tuntas.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.engine.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotTest {

  private static final TableSet SHOP = TableSet.of("shop");
  private static final String ADD = "insert into shop_item (name, stock) values (?, 1)";

  @TempDir Path folder;

  private static int items(Tables tables) {
    return tables.read(
        "count", s -> s.first("select count(*) from shop_item", row -> row.getInt(1)).orElse(-1));
  }

  @Test
  void it_shows_one_moment_beside_a_process_that_goes_on() {
    try (var tables = Tables.sqlite(folder.resolve("shop"), SHOP)) {
      tables.write("add", s -> s.update(ADD, "tea"));
      try (var snapshot = Snapshot.of(folder, SHOP).orElseThrow()) {
        tables.write("add", s -> s.update(ADD, "salt"));
        assertThat(items(snapshot)).isEqualTo(1);
        assertThat(items(tables)).isEqualTo(2);
      }
    }
    try (var snapshot = Snapshot.of(folder, SHOP).orElseThrow()) {
      assertThat(items(snapshot)).isEqualTo(2);
    }
  }

  @Test
  void it_cannot_be_written_to() {
    Stores.sqlite(folder, InstantSource.system()).close();
    try (var snapshot = Snapshot.ofSagas(folder).orElseThrow()) {
      assertThatThrownBy(() -> snapshot.write("add", s -> s.update(ADD, "tea")))
          .hasMessage("add: a snapshot cannot be written to");
      assertThatThrownBy(() -> snapshot.read("delete", s -> s.update("delete from tuntas_saga")))
          .isInstanceOf(StoreException.class);
    }
  }

  @Test
  void where_nothing_is_there_is_none_and_nothing_is_made() {
    assertThat(Snapshot.ofSagas(folder)).isEmpty();
    assertThat(Snapshot.of(folder, SHOP)).isEmpty();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void what_others_have_made_is_refused() throws Exception {
    try (var connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("tuntas.db"));
        var statement = connection.createStatement()) {
      statement.execute("create table other (x integer)");
    }
    assertThatThrownBy(() -> Snapshot.ofSagas(folder))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("was not made by Tuntas");
  }

  @Test
  void what_is_no_database_is_refused_with_a_sentence() throws Exception {
    Files.writeString(folder.resolve("tuntas.db"), "this is a letter to my aunt, not a database");
    assertThatThrownBy(() -> Snapshot.ofSagas(folder))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot be read");
  }
}
