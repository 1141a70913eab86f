package dev.tuntas.server.services;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.adapters.http.HttpCarts;
import dev.tuntas.adapters.http.HttpCatalogue;
import dev.tuntas.adapters.http.HttpInventory;
import dev.tuntas.adapters.http.HttpPayments;
import dev.tuntas.cart.CartShelf;
import dev.tuntas.cart.Carts;
import dev.tuntas.inventory.Goods;
import dev.tuntas.inventory.Goods.Line;
import dev.tuntas.inventory.Goods.Lines;
import dev.tuntas.inventory.Goods.Stay;
import dev.tuntas.inventory.Inventory;
import dev.tuntas.inventory.Inventory.Request;
import dev.tuntas.inventory.Inventory.Reservation;
import dev.tuntas.inventory.StockAudit;
import dev.tuntas.inventory.StockList;
import dev.tuntas.inventory.StockRoom;
import dev.tuntas.inventory.StockSettings;
import dev.tuntas.money.Money;
import dev.tuntas.payment.Books;
import dev.tuntas.payment.Cashier;
import dev.tuntas.payment.Payments;
import dev.tuntas.payment.Payments.Charge;
import dev.tuntas.payment.Payments.Receipt;
import dev.tuntas.payment.Payments.Refund;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Failed;
import dev.tuntas.saga.Outcome.Succeeded;
import dev.tuntas.simulator.Pause;
import dev.tuntas.simulator.SimulatedBank;
import dev.tuntas.simulator.Weather;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A service in process and the same over HTTP, asked the same questions: they answer alike.
class BothWaysTest {

  private static final InstantSource CLOCK = InstantSource.system();
  private static final Money PRICE = new Money(50_000, "IDR");

  private final ServicesServer server = ServicesServer.shared();
  private final List<Tables> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(Tables::close);
  }

  private Tables tables(TableSet set) {
    var tables = Tables.inMemory(set);
    opened.add(tables);
    return tables;
  }

  /// When a hold expires depends on the moment it was asked for.
  private static Object comparable(Outcome<?> outcome) {
    return switch (outcome) {
      case Succeeded<?>(Reservation(var id, var expiresAt, var total)) ->
          List.of(id, expiresAt == null, total);
      case Succeeded<?>(Receipt(_, var amount, var status)) -> List.of(amount, status);
      default -> outcome;
    };
  }

  private static String code(Outcome<?> outcome) {
    return outcome instanceof Failed<?>(var failure) ? failure.code() : "done";
  }

  @Test
  void the_inventory() {
    var list = new StockList(tables(StockRoom.TABLES), CLOCK, StockSettings.defaults());
    var here = new StockRoom(opened.getLast(), CLOCK, StockSettings.defaults());
    var there = new HttpInventory(server.client());
    for (var stock : List.of(list, server.bean(StockList.class))) {
      stock.putItem("A", 6, PRICE);
      stock.putItem("B", 3, PRICE);
      stock.putRoom("R", 2, PRICE);
    }

    var codes = new HashSet<String>();
    var random = new Random(3);
    for (int i = 0; i < 400; i++) {
      var question = question(random);
      var answer = question.ask(here);
      assertThat(comparable(question.ask(there))).as("step %d", i).isEqualTo(comparable(answer));
      codes.add(code(answer));
    }
    assertThat(codes)
        .containsAll(
            Set.of(
                "done",
                "out_of_stock",
                "released",
                "idempotency_key_reused",
                "sku_unknown",
                "room_unknown",
                "time_invalid"));
    assertThat(server.bean(StockAudit.class).violations()).isEmpty();
  }

  private interface Question {
    Outcome<?> ask(Inventory inventory);
  }

  private static Question question(Random random) {
    var order = "o-" + random.nextInt(12);
    var total = random.nextInt(4) == 0 ? new Money(123, "IDR") : null;
    var request = new Request(order, goods(random), total);
    var key = "k-" + order + "-" + random.nextInt(4);
    return switch (random.nextInt(11)) {
      case 0, 1, 2 -> inventory -> inventory.reserve(request, key);
      case 3, 4 -> inventory -> inventory.keep(request, key);
      case 5, 6, 7 -> inventory -> inventory.confirm(request, key);
      case 8, 9 -> inventory -> inventory.commit(request, key);
      default -> inventory -> inventory.release(order, key);
    };
  }

  private static Goods goods(Random random) {
    int kind = random.nextInt(12);
    if (kind < 5) {
      var sku = kind == 0 ? "X" : random.nextBoolean() ? "A" : "B";
      return new Lines(List.of(new Line(sku, 1 + random.nextInt(2)), new Line("A", 1)));
    }
    var day = LocalDate.now(ZoneOffset.UTC).plusDays(kind == 5 ? -2 : 1 + random.nextInt(4));
    return new Stay(kind == 6 ? "X" : "R", 1, day, day.plusDays(kind == 7 ? 0 : 2));
  }

  @Test
  void prices() {
    var list = server.bean(StockList.class);
    list.putItem("P-1", 1, PRICE);
    list.putRoom("P-2", 1, PRICE);
    var there = new HttpCatalogue(server.client());

    var skus = List.of("P-1", "P-9", "P-1");
    assertThat(there.items(skus)).isEqualTo(list.items(skus));
    assertThat(there.rooms(List.of("P-2", "P-9"))).isEqualTo(list.rooms(List.of("P-2", "P-9")));
    assertThat(there.quote(new Lines(List.of(new Line("P-1", 3)))))
        .isEqualTo(Outcome.done(new Money(150_000, "IDR")));
  }

  @Test
  void payments() {
    var weather = new Weather(new Random(1), Pause.blocking());
    var bank = new SimulatedBank(tables(SimulatedBank.TABLES), weather, CLOCK);
    var here = new Cashier(tables(Cashier.TABLES), bank, CLOCK);
    var there = new HttpPayments(server.client());

    var codes = new HashSet<String>();
    var random = new Random(5);
    for (int i = 0; i < 300; i++) {
      var call = payment(random);
      var answer = call.ask(here);
      var fromAfar = call.ask(there);
      codes.add(code(answer));
      // Whoever hears that an order was charged before cannot know whether that was this charge.
      if (code(answer).equals("order_already_charged")) {
        assertThat(fromAfar).as("step %d", i).isInstanceOf(Outcome.Unclear.class);
      } else {
        assertThat(comparable(fromAfar)).as("step %d", i).isEqualTo(comparable(answer));
      }
    }
    assertThat(codes)
        .contains(
            "done",
            "order_already_charged",
            "payment_declined",
            "refunded",
            "idempotency_key_reused",
            "nothing_to_refund",
            "refund_exceeds_captured");
    assertThat(server.bean(Books.class).violations()).isEmpty();
  }

  private interface Payment {
    Outcome<?> ask(Payments payments);
  }

  private static Payment payment(Random random) {
    var order = "p-" + random.nextInt(25);
    var key = order + "-" + random.nextInt(4);
    var amount = new Money(random.nextInt(4) == 0 ? 60 : 100, "IDR");
    var method = random.nextInt(4) == 0 ? "pm_declined" : "pm_ok";
    return switch (random.nextInt(5)) {
      case 0, 1, 2 -> payments -> payments.charge(new Charge(order, method, amount), key);
      case 3 -> payments -> payments.refund(new Refund(order, new Money(60, "IDR"), false), key);
      default -> payments -> payments.refund(new Refund(order, new Money(100, "IDR"), true), key);
    };
  }

  @Test
  void carts() {
    Carts here = new CartShelf(tables(CartShelf.TABLES), CLOCK);
    Carts there = new HttpCarts(server.client());

    for (var carts : List.of(here, there)) {
      assertThat(carts.clear("cart-1", "k-1")).isEqualTo(Outcome.done(new Carts.Cleared("cart-1")));
      assertThat(carts.clear("cart-1", "k-1")).isEqualTo(Outcome.done(new Carts.Cleared("cart-1")));
      assertThat(code(carts.clear("cart-2", "k-1"))).isEqualTo("idempotency_key_reused");
    }
  }
}
