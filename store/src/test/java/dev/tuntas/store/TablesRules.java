package dev.tuntas.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What every kind of tables does.
interface TablesRules {

  TableSet SHOP = TableSet.of("shop");

  Tables tables();

  private void add(String name, int stock) {
    tables()
        .write(
            "add",
            session ->
                session.update("insert into shop_item (name, stock) values (?, ?)", name, stock));
  }

  private List<String> names() {
    return tables()
        .read(
            "names",
            session ->
                session.list("select name from shop_item order by no", row -> row.getString(1)));
  }

  @Test
  default void what_is_written_is_there() {
    add("tea", 3);
    add("rice", 4);

    assertThat(names()).containsExactly("tea", "rice");
  }

  @Test
  default void a_transaction_that_throws_leaves_nothing() {
    assertThatThrownBy(
            () ->
                tables()
                    .write(
                        "add and fail",
                        session -> {
                          session.update("insert into shop_item (name, stock) values ('a', 1)");
                          throw new IllegalStateException("enough");
                        }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("enough");
    assertThat(names()).isEmpty();
  }

  @Test
  default void what_the_tables_refuse_is_bad_data() {
    assertThatThrownBy(() -> add("tea", -1))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.BAD_DATA));
    add("rice", 1);
    assertThat(names()).containsExactly("rice");
  }

  @Test
  default void nothing_can_be_written_into_a_number() {
    add("tea", 3);
    tables()
        .write(
            "forget when",
            session -> session.update("update shop_item set sold_at = ? where stock > ?", null, 1));
    var sold =
        tables()
            .<Long>read(
                "when",
                session ->
                    session
                        .first("select coalesce(sold_at, -1) from shop_item", row -> row.getLong(1))
                        .orElseThrow());
    assertThat(sold).isEqualTo(-1);
  }

  @Test
  default void a_list_is_one_value() {
    for (var name : List.of("a", "b", "c")) add(name, 1);
    assertThat(
            tables()
                .<List<String>>read(
                    "some",
                    session ->
                        session.list(
                            "select name from shop_item where name = any (?) order by no",
                            row -> row.getString(1),
                            List.of("c", "a", "x"))))
        .containsExactly("a", "c");
  }

  @Test
  default void rows_that_could_not_be_sent_are_not_sent_with_the_next() {
    var insert = "insert into shop_item (name, stock) values (?, ?)";
    tables()
        .write(
            "add",
            session -> {
              assertThatThrownBy(
                      () ->
                          session.updateEach(
                              insert, List.of(List.of("tea", 1), List.of("rice", new Object()))))
                  .isInstanceOf(ClassCastException.class);
              return session.updateEach(insert, List.of(List.of("salt", 1)));
            });
    assertThat(names()).containsExactly("salt");
  }

  @Test
  default void many_rows_are_inserted_at_once_and_known_ones_left_out() {
    add("n7", 1);
    var rows =
        java.util.stream.IntStream.range(0, 150).mapToObj(i -> List.of("n" + i, 1L)).toList();
    var bulk = new Bulk("shop_item", "name", "name", "stock");
    var inserted = tables().write("bulk", session -> bulk.insert(session, rows));
    assertThat(inserted).hasSize(149).doesNotContain("n7").contains("n0", "n149");
    assertThat(names()).hasSize(150);
  }
}
