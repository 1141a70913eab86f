package dev.tuntas.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.engine.StoreException;
import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.Stores;
import dev.tuntas.testservers.TestPostgres;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Tables of orders that were made before their first migration was edited.
class PostgresOldOrdersIT {

  private static final String END =
      """
      insert into orders_order (id, kind, client, customer_id, amount, currency, created_at, version,
                                status, ended_at)
      values ('o', 'ride', 'c', 'c', 1, 'IDR', 1, 1, 'REFUNDED', 1)
      """;

  private final String url = TestPostgres.newDatabase();

  @BeforeEach
  void make() {
    open();
  }

  private void open() {
    try (var stores = Stores.postgres(PostgresSettings.of(url, null, null))) {
      stores.tables(OrderBook.TABLES).ping();
    }
  }

  private int run(String sql) throws SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }

  private void remember(int checksum) throws SQLException {
    run("update orders_schema_history set checksum = " + checksum + " where version = '1'");
  }

  @Test
  void are_brought_to_the_present_form() throws SQLException {
    run("alter table orders_order drop constraint orders_order_status_check");
    run("alter table orders_order add check (status in ('CONFIRMED', 'FAILED'))");
    remember(-1012883800);
    assertThatThrownBy(() -> run(END)).hasMessageContaining("orders_order_status_check");

    open();
    open();

    assertThat(run(END)).isEqualTo(1);
  }

  @Test
  void are_refused_in_one_sentence_if_nobody_knows_them() throws SQLException {
    remember(4711);

    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "the database cannot be used: its tables were made by a build with another"
                + " V1__orders.sql (4711) that is not known here: open it with that build");
  }
}
