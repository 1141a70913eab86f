package dev.tuntas.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.inventory.Goods.Line;
import dev.tuntas.inventory.Goods.Lines;
import dev.tuntas.inventory.Inventory.Request;
import dev.tuntas.money.Money;
import dev.tuntas.store.Tables;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Tampers with the tables, and expects to be found out.
class StockAuditTest {

  private static final Instant NOW = Instant.parse("2027-01-01T12:00:00Z");

  private final Tables tables = Tables.inMemory(StockRoom.TABLES);
  private final StockRoom room = new StockRoom(tables, () -> NOW, StockSettings.defaults());

  @BeforeEach
  void fill() {
    new StockList(tables, () -> NOW, StockSettings.defaults())
        .putItem("A", 10, new Money(50_000, "IDR"));
    room.reserve(buy("o-1", 2), "k-1");
    room.commit(buy("o-2", 3), "k-2");
    assertThat(audit()).isEmpty();
  }

  @AfterEach
  void close() {
    tables.close();
  }

  private static Request buy(String order, int quantity) {
    return new Request(order, new Lines(List.of(new Line("A", quantity))), null);
  }

  private List<String> audit() {
    return new StockAudit(tables).violations();
  }

  private void tamper(String sql) {
    tables.write("tamper", session -> session.update(sql));
  }

  @Test
  void a_hold_that_was_given_back_and_is_still_there() {
    tamper("update shelf set held = held - 2, available = available + 2");

    assertThat(audit())
        .containsExactly("A: 0 are held and orders hold 2; 3 are sold and orders have taken 3.");
  }

  @Test
  void a_sale_that_nobody_knows_of() {
    tamper("delete from taken");

    assertThat(audit())
        .containsExactly("A: 2 are held and orders hold 2; 3 are sold and orders have taken 0.");
  }

  @Test
  void stock_that_appeared_from_nowhere() {
    tamper("pragma ignore_check_constraints = on");
    tamper("update shelf set available = available + 1");

    assertThat(audit()).containsExactly("The parts of A do not make up its stock.");
  }

  @Test
  void a_released_order_that_still_has_goods() {
    tamper("update bookings set released_at = 1 where booking_id = 'o-1'");

    assertThat(audit()).containsExactly("o-1 was released and still has goods.");
  }

  @Test
  void goods_that_are_on_no_shelf() {
    tamper("insert into taken (booking_id, id, night, quantity) values ('o-1', 'X', '', 1)");

    assertThat(audit()).containsExactly("o-1 has something that is not in stock at all.");
  }
}
