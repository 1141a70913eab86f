package dev.tuntas.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.cart.CartShelf;
import dev.tuntas.inventory.Goods;
import dev.tuntas.inventory.StockList;
import dev.tuntas.inventory.StockSettings;
import dev.tuntas.money.Money;
import dev.tuntas.payment.Books;
import dev.tuntas.payment.Cashier;
import dev.tuntas.payment.Payments.Charge;
import dev.tuntas.payment.Payments.Receipt;
import dev.tuntas.payment.Payments.Refund;
import dev.tuntas.saga.Outcome;
import dev.tuntas.simulator.verify.Evidence;
import dev.tuntas.simulator.verify.Finding;
import dev.tuntas.simulator.verify.StoredEvidence;
import dev.tuntas.simulator.verify.Verification;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The payment service in front of the simulated bank, asked for everything at once in bad weather.
abstract class MoneyRaces {

  private static final int ORDERS = 60;
  private static final int THREADS = 6;
  private static final Money PRICE = new Money(100, "IDR");

  private final List<Tables> opened = new ArrayList<>();

  abstract Tables open(TableSet set);

  private Tables tables(TableSet set) {
    var tables = open(set);
    opened.add(tables);
    return tables;
  }

  @AfterEach
  void close() {
    opened.forEach(Tables::close);
  }

  private static boolean isRefunded(int order) {
    return order % 2 == 1;
  }

  private static List<Callable<Outcome<Receipt>>> requests(Cashier cashier, int number) {
    var order = "o-" + number;
    var requests = new ArrayList<Callable<Outcome<Receipt>>>();
    for (int i = 0; i < 2; i++) {
      requests.add(() -> cashier.charge(new Charge(order, "pm_ok", PRICE), "charge-" + order));
    }
    requests.add(() -> cashier.charge(new Charge(order, "pm_ok", PRICE), "again-" + order));
    for (int i = 1; i <= 3; i++) {
      var key = "refund-" + order + "-" + i;
      requests.add(() -> cashier.refund(new Refund(order, new Money(40, "IDR"), false), key));
    }
    if (isRefunded(number)) {
      for (var key : List.of("refund-" + order, "refund-" + order, "by-hand-" + order)) {
        requests.add(() -> cashier.refund(new Refund(order, PRICE, true), key));
      }
    }
    return requests;
  }

  @Test
  void the_books_agree_with_the_bank_and_nothing_refunded_is_kept() throws Exception {
    var bankTables = tables(SimulatedBank.TABLES);
    var payment = tables(Cashier.TABLES);
    var weather = new Weather(new Random(3), _ -> {});
    var bank = new SimulatedBank(bankTables, weather, InstantSource.system());
    var cashier = new Cashier(payment, bank, InstantSource.system());
    weather.change(Map.of("error_rate", 0.2, "lost_reply_rate", 0.2));

    var requests = new ArrayList<Callable<Outcome<Receipt>>>();
    for (int i = 0; i < ORDERS; i++) requests.addAll(requests(cashier, i));
    Collections.shuffle(requests, new Random(5));
    try (var pool = Executors.newFixedThreadPool(THREADS)) {
      for (var answer : pool.invokeAll(requests)) answer.get();
    }

    weather.change(Map.of("reset", true));
    for (int i = 0; i < ORDERS; i++) {
      var again = requests(cashier, i);
      // A whole refund says what became of a charge in doubt, so it is asked first.
      for (var request : isRefunded(i) ? again.reversed() : again) {
        assertThat(request.call()).isNotInstanceOf(Outcome.Unclear.class);
      }
    }
    check(new Books(payment), kept(bankTables));
    var inventory = tables(TableSet.of("inventory"));
    OpeningStock.fill(new StockList(inventory, InstantSource.system(), StockSettings.defaults()));
    var evidence = new StoredEvidence(MoneyRaces::eachOrder, payment, inventory, bankTables, null);
    assertThat(Verification.of(evidence))
        .filteredOn(finding -> !finding.invariant().equals("S2")) // nobody took any goods
        .allMatch(Finding::holds);
  }

  private static void eachOrder(Consumer<Evidence.Order> taker) {
    for (int i = 0; i < ORDERS; i++) {
      var status = isRefunded(i) ? "FAILED" : "CONFIRMED";
      taker.accept(new Evidence.Order("o-" + i, status, PRICE, false, false));
    }
  }

  private static Map<String, Long> kept(Tables bank) {
    var kept = new HashMap<String, Long>();
    new Effects(bank)
        .each(
            effect -> {
              long amount = effect.amount().amount();
              kept.merge(
                  effect.orderId(),
                  effect.operation().equals("charge") ? amount : -amount,
                  Long::sum);
            });
    return kept;
  }

  private static void check(Books books, Map<String, Long> kept) {
    assertThat(books.violations()).isEmpty();
    for (int i = 0; i < ORDERS; i++) {
      var order = "o-" + i;
      var ledger = books.of(order).orElseThrow();
      long inBooks = ledger.captured().amount() - ledger.refunded().amount();
      assertThat(kept.getOrDefault(order, 0L)).as(order).isEqualTo(inBooks);
      assertThat(inBooks).as(order).isEqualTo(isRefunded(i) ? 0 : 20);
    }
  }

  @Test
  void carts_are_put_and_cleared() {
    var shelf = new CartShelf(tables(CartShelf.TABLES), InstantSource.system());
    var lines = List.of(new Goods.Line("SKU-1", 2), new Goods.Line("SKU-2", 1));
    shelf.put("c-1", lines);
    shelf.put("c-1", lines.reversed());
    assertThat(shelf.get("c-1").orElseThrow().lines()).isEqualTo(lines.reversed());

    shelf.clear("c-1", "k");
    shelf.put("c-1", lines);
    shelf.clear("c-1", "k");
    assertThat(shelf.get("c-1").orElseThrow().lines()).isEqualTo(lines);
  }
}
