package dev.tuntas.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.inventory.Goods.Line;
import dev.tuntas.inventory.Goods.Lines;
import dev.tuntas.inventory.Goods.Stay;
import dev.tuntas.inventory.Inventory.Request;
import dev.tuntas.money.Money;
import dev.tuntas.saga.Failure.Declined;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Failed;
import dev.tuntas.saga.Outcome.Succeeded;
import dev.tuntas.store.Tables;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Many at once: nothing is sold twice, nobody waits for ever, and the sums agree.
abstract class StockRaces {

  private static final Instant NOW = Instant.parse("2027-01-01T12:00:00Z");
  private static final LocalDate TODAY = LocalDate.parse("2027-01-01");
  private static final Money PRICE = new Money(50_000, "IDR");
  private static final int THREADS = 16;

  private Tables tables;
  private StockRoom room;
  private StockList list;

  abstract Tables open();

  @BeforeEach
  void fill() {
    tables = open();
    room = new StockRoom(tables, () -> NOW, StockSettings.defaults());
    list = new StockList(tables, () -> NOW, StockSettings.defaults());
    list.putItem("RARE", 100, PRICE);
    list.putItem("A", 1_000, PRICE);
    list.putItem("B", 1_000, PRICE);
    list.putRoom("R", 3, PRICE);
  }

  @AfterEach
  void the_sums_agree() {
    assertThat(new StockAudit(tables).violations()).isEmpty();
    tables.close();
  }

  private static <T> List<T> atOnce(List<Callable<T>> calls) throws Exception {
    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      var results = new ArrayList<T>();
      for (Future<T> call : threads.invokeAll(calls)) results.add(call.get());
      return results;
    }
  }

  private static Request lines(String order, Line... lines) {
    return new Request(order, new Lines(List.of(lines)), null);
  }

  private static String code(Outcome<?> outcome) {
    return switch (outcome) {
      case Succeeded<?> _ -> "done";
      case Failed<?>(Declined declined) -> declined.code();
      case Failed<?>(var failure) -> failure.toString();
      case Outcome.Unclear<?>(var why, _) -> why;
    };
  }

  private static long count(List<String> codes, String code) {
    return codes.stream().filter(code::equals).count();
  }

  @Test
  void three_hundred_buyers_of_a_hundred_units() throws Exception {
    var buyers = new ArrayList<Callable<String>>();
    for (int i = 0; i < 300; i++) {
      var order = "o-" + i;
      buyers.add(() -> code(room.commit(lines(order, new Line("RARE", 1)), "commit-" + order)));
    }

    var codes = atOnce(buyers);
    assertThat(count(codes, "done")).isEqualTo(100);
    assertThat(count(codes, "out_of_stock")).isEqualTo(200);
    assertThat(list.item("RARE").orElseThrow().committed()).isEqualTo(100);
  }

  @Test
  void the_same_key_many_times_at_once() throws Exception {
    var request = lines("o-1", new Line("A", 7));
    var calls = new ArrayList<Callable<Outcome<?>>>();
    for (int i = 0; i < 20; i++) calls.add(() -> room.reserve(request, "booking-1"));

    assertThat(atOnce(calls).stream().distinct()).hasSize(1);
    assertThat(list.item("A").orElseThrow().held()).isEqualTo(7);
  }

  @Test
  void one_key_for_many_orders_serves_one_of_them() throws Exception {
    var calls = new ArrayList<Callable<String>>();
    for (int i = 0; i < 20; i++) {
      var request = lines("o-" + i, new Line("A", 1));
      calls.add(() -> code(room.commit(request, "the-key")));
    }

    var codes = atOnce(calls);
    assertThat(count(codes, "done")).isEqualTo(1);
    assertThat(count(codes, "idempotency_key_reused")).isEqualTo(19);
    assertThat(list.item("A").orElseThrow().committed()).isEqualTo(1);
  }

  @Test
  void lines_in_any_order_do_not_lock_each_other_out() throws Exception {
    var calls = new ArrayList<Callable<String>>();
    for (int i = 0; i < 200; i++) {
      var a = new Line("A", 1);
      var b = new Line("B", 1);
      var request = i % 2 == 0 ? lines("o-" + i, a, b) : lines("o-" + i, b, a);
      calls.add(() -> code(room.reserve(request, "k-" + request.orderId())));
    }

    assertThat(count(atOnce(calls), "done")).isEqualTo(200);
  }

  @Test
  void nights_that_nobody_has_touched_are_made_once() throws Exception {
    var calls = new ArrayList<Callable<String>>();
    for (int i = 0; i < 40; i++) {
      int from = i % 5;
      var stay = new Stay("R", 1, TODAY.plusDays(from), TODAY.plusDays(from + 5));
      var request = new Request("o-" + i, stay, null);
      calls.add(() -> code(room.reserve(request, "k-" + request.orderId())));
    }

    var codes = atOnce(calls);
    assertThat(count(codes, "done")).isEqualTo(3);
    assertThat(count(codes, "out_of_stock")).isEqualTo(37);
  }

  @Test
  void a_release_and_a_commit_at_once_leave_nothing_taken() throws Exception {
    for (int i = 0; i < 30; i++) {
      var order = "o-" + i;
      var request = lines(order, new Line("A", 1));
      List<Callable<Outcome<?>>> both =
          List.of(
              () -> room.commit(request, "c-" + order), () -> room.release(order, "r-" + order));
      assertThat(atOnce(both).stream().map(StockRaces::code)).containsAnyOf("done", "released");
    }
    assertThat(list.item("A").orElseThrow().available()).isEqualTo(1_000);
  }

  @Test
  void anything_at_once_and_then_everything_comes_back() throws Exception {
    var calls = new ArrayList<Callable<String>>();
    var random = new Random(20270101);
    for (int i = 0; i < 600; i++) calls.add(draw(random, i));

    assertThat(atOnce(calls))
        .allMatch(List.of("done", "out_of_stock", "released", "expired")::contains);
    assertThat(new StockAudit(tables).violations()).isEmpty();

    for (int order = 0; order < 30; order++) room.release("o-" + order, "end-" + order);
    for (var sku : List.of("A", "B", "RARE")) {
      var view = list.item(sku).orElseThrow();
      assertThat(view.available()).isEqualTo(view.stock());
    }
    for (int night = 0; night < 10; night++) {
      assertThat(list.room("R", TODAY.plusDays(night)).orElseThrow().available()).isEqualTo(3);
    }
  }

  private Callable<String> draw(Random random, int i) {
    int number = random.nextInt(30);
    var order = "o-" + number;
    var night = TODAY.plusDays(random.nextInt(7));
    Goods goods =
        number % 3 == 0
            ? new Stay("R", 1, night, night.plusDays(1 + random.nextInt(3)))
            : new Lines(List.of(new Line("RARE", 1 + random.nextInt(8)), new Line("B", 1)));
    var request = new Request(order, goods, null);
    var key = "k-" + i;
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> () -> code(room.reserve(request, key));
      case 4, 5 -> () -> code(room.keep(request, key));
      case 6, 7 -> () -> code(room.confirm(request, key));
      case 8, 9 -> () -> code(room.commit(request, key));
      case 10 ->
          () -> {
            room.expire(NOW.plus(Duration.ofHours(1)), 5);
            return "expired";
          };
      default -> () -> code(room.release(order, key));
    };
  }
}
