package dev.tuntas.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.inventory.Goods.Line;
import dev.tuntas.inventory.Goods.Lines;
import dev.tuntas.inventory.Goods.Stay;
import dev.tuntas.inventory.Inventory.Request;
import dev.tuntas.money.Money;
import dev.tuntas.saga.Outcome;
import dev.tuntas.store.Tables;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StockListTest {

  private static final Instant NOW = Instant.parse("2027-01-01T12:00:00Z");
  private static final LocalDate TODAY = LocalDate.parse("2027-01-01");
  private static final Money PRICE = new Money(50_000, "IDR");

  private final Tables tables = Tables.inMemory(StockRoom.TABLES);
  private final StockRoom room = new StockRoom(tables, () -> NOW, StockSettings.defaults());
  private final StockList list = new StockList(tables, () -> NOW, StockSettings.defaults());

  @AfterEach
  void the_sums_agree() {
    assertThat(new StockAudit(tables).violations()).isEmpty();
    tables.close();
  }

  private static Request buy(String order, int quantity) {
    return new Request(order, new Lines(List.of(new Line("A", quantity))), null);
  }

  private static Request stay(String order, int rooms, int from, int to) {
    return new Request(order, new Stay("R", rooms, TODAY.plusDays(from), TODAY.plusDays(to)), null);
  }

  private static String code(Outcome<?> outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    return ((Outcome.Failed<?>) outcome).failure().code();
  }

  @Test
  void an_item_shows_what_is_left_of_it() {
    list.putItem("A", 10, PRICE);
    room.reserve(buy("o-1", 2), "k-1");
    room.commit(buy("o-2", 3), "k-2");

    assertThat(list.item("A")).contains(new StockView("A", null, 10, 5, 2, 3, PRICE));
    assertThat(list.item("B")).isEmpty();
    assertThat(list.item("\u0000")).isEmpty();
  }

  @Test
  void stock_can_grow_and_shrink_down_to_what_is_in_use() {
    list.putItem("A", 10, PRICE);
    room.reserve(buy("o-1", 2), "k-1");
    room.commit(buy("o-2", 3), "k-2");

    var dear = new Money(60_000, "IDR");
    assertThat(list.putItem("A", 5, dear))
        .isEqualTo(Outcome.done(new StockView("A", null, 5, 0, 2, 3, dear)));
    assertThat(list.putItem("A", 4, PRICE))
        .isEqualTo(
            Outcome.declined("stock_in_use", "A cannot go down to 4: more are held or sold."));
    assertThat(list.item("A").orElseThrow().price()).isEqualTo(dear);
    list.putItem("A", 20, PRICE);
    assertThat(list.item("A").orElseThrow().available()).isEqualTo(15);
  }

  @Test
  void rooms_are_counted_by_the_night() {
    list.putRoom("R", 4, PRICE);
    room.reserve(stay("o-1", 3, 1, 2), "k-1");

    assertThat(list.room("R", TODAY.plusDays(1)))
        .contains(new StockView("R", TODAY.plusDays(1), 4, 1, 3, 0, PRICE));
    assertThat(list.room("R", TODAY.plusDays(2)).orElseThrow().available()).isEqualTo(4);
    assertThat(list.room("R", null).orElseThrow().date()).isEqualTo(TODAY);
    assertThat(code(list.putRoom("R", 2, PRICE))).isEqualTo("stock_in_use");
    list.putRoom("R", 3, PRICE);
    assertThat(list.room("R", TODAY.plusDays(1)).orElseThrow().available()).isZero();
  }

  @Test
  void an_item_and_a_room_may_have_one_name() {
    list.putItem("R", 10, PRICE);
    list.putRoom("R", 2, PRICE);
    room.reserve(stay("o-1", 2, 0, 1), "k-1");

    assertThat(list.item("R").orElseThrow().available()).isEqualTo(10);
    assertThat(list.room("R", TODAY).orElseThrow().available()).isZero();
  }

  @Test
  void nonsense_is_declined() {
    assertThat(code(list.putItem("A", -1, PRICE))).isEqualTo("out_of_range");
    assertThat(code(list.putItem("A", StockList.STOCK_MAX + 1, PRICE))).isEqualTo("out_of_range");
    assertThat(code(list.putItem("", 1, PRICE))).isEqualTo("id_invalid");
    assertThat(code(list.putRoom("a\u0000b", 1, PRICE))).isEqualTo("id_invalid");
    list.putItem("A", 5, PRICE);
    assertThat(code(room.reserve(buy("o 1", 1), "k"))).isEqualTo("order_id_invalid");
    assertThat(code(room.reserve(buy("o-1", 1), "\n"))).isEqualTo("idempotency_key_invalid");
    assertThat(code(room.release("", "k"))).isEqualTo("order_id_invalid");
    assertThat(code(room.reserve(buy("o-1", 0), "k"))).isEqualTo("out_of_range");
    assertThat(code(room.reserve(new Request("o-1", new Lines(List.of()), null), "k")))
        .isEqualTo("lines_invalid");
  }

  @Test
  void a_quote_adds_up_or_says_why_not() {
    list.putItem("A", 1, PRICE);
    list.putItem("B", 1, new Money(5, "USD"));
    list.putItem("C", 1, new Money(Money.AMOUNT_MAX, "IDR"));
    list.putRoom("R", 1, PRICE);

    assertThat(list.items(List.of("A", "X", "\u0000"))).isEqualTo(Outcome.done(Map.of("A", PRICE)));
    assertThat(list.quote(new Lines(List.of(new Line("A", 2), new Line("A", 1)))))
        .isEqualTo(Outcome.done(new Money(150_000, "IDR")));
    assertThat(list.quote(new Stay("R", 2, TODAY, TODAY.plusDays(3))))
        .isEqualTo(Outcome.done(new Money(300_000, "IDR")));
    assertThat(code(list.quote(new Lines(List.of(new Line("A", 2), new Line("B", 1))))))
        .isEqualTo("currency_mixed");
    assertThat(code(list.quote(new Lines(List.of(new Line("C", 2)))))).isEqualTo("amount_overflow");
    assertThat(code(list.quote(new Lines(List.of(new Line("C", 1), new Line("A", 1))))))
        .isEqualTo("amount_overflow");
    assertThat(code(list.quote(new Lines(List.of(new Line("X", 1)))))).isEqualTo("sku_unknown");
    assertThat(code(list.quote(new Stay("X", 1, TODAY, TODAY.plusDays(1)))))
        .isEqualTo("room_unknown");
  }

  @Test
  void the_goods_of_an_order_can_be_told() {
    list.putItem("A", 10, PRICE);
    list.putItem("B", 10, PRICE);
    list.putRoom("R", 4, PRICE);
    var lines = new Lines(List.of(new Line("A", 2), new Line("B", 1)));
    room.reserve(new Request("o-1", lines, null), "k-1");
    room.commit(stay("o-2", 2, 1, 4), "k-2");
    room.reserve(buy("o-3", 1), "k-3");
    room.release("o-3", "r-3");
    room.commit(stay("o-4", 1, 1, 2), "k-4");
    room.commit(stay("o-4", 1, 5, 6), "k-5");

    assertThat(room.goodsOf("o-1")).isEqualTo(Outcome.done(lines));
    assertThat(room.goodsOf("o-2")).isEqualTo(Outcome.done(stay("o-2", 2, 1, 4).goods()));
    assertThat(code(room.goodsOf("o-3"))).isEqualTo("released");
    assertThat(code(room.goodsOf("o-4"))).isEqualTo("goods_mixed");
    assertThat(code(room.goodsOf("o-5"))).isEqualTo("nothing_held");
  }
}
