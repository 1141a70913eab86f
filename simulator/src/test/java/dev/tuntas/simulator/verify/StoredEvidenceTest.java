package dev.tuntas.simulator.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.inventory.Goods;
import dev.tuntas.inventory.Inventory;
import dev.tuntas.inventory.StockList;
import dev.tuntas.inventory.StockRoom;
import dev.tuntas.inventory.StockSettings;
import dev.tuntas.money.Money;
import dev.tuntas.payment.Cashier;
import dev.tuntas.payment.Payments.Charge;
import dev.tuntas.payment.Payments.Refund;
import dev.tuntas.simulator.OpeningStock;
import dev.tuntas.simulator.SimulatedBank;
import dev.tuntas.simulator.SimulatedWarehouse;
import dev.tuntas.simulator.Weather;
import dev.tuntas.simulator.verify.Evidence.Order;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The services and the simulated partners together, looked at through their tables.
class StoredEvidenceTest {

  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");
  private static final InstantSource CLOCK = InstantSource.fixed(NOW);
  private static final int MANY = 1_010; // more than a page

  private final List<Tables> opened = new ArrayList<>();
  private final Tables payment = open(Cashier.TABLES);
  private final Tables inventory = open(TableSet.of("inventory"));
  private final Tables bankTables = open(SimulatedBank.TABLES);
  private final Tables warehouseTables = open(SimulatedWarehouse.TABLES);
  private final Weather weather = new Weather(new Random(1), _ -> {});
  private final Cashier cashier =
      new Cashier(payment, new SimulatedBank(bankTables, weather, CLOCK), CLOCK);
  private final SimulatedWarehouse warehouse =
      new SimulatedWarehouse(
          new StockRoom(inventory, CLOCK, StockSettings.defaults()),
          warehouseTables,
          weather,
          CLOCK);
  private final List<Order> orders = new ArrayList<>();

  private Tables open(TableSet set) {
    var tables = Tables.inMemory(set);
    opened.add(tables);
    return tables;
  }

  @BeforeEach
  void trade() {
    OpeningStock.fill(new StockList(inventory, CLOCK, StockSettings.defaults()));
    for (int i = 0; i < 10; i++) buy("order-" + i);
    book("booking");
    refund("order-7");
  }

  @AfterEach
  void close() {
    opened.forEach(Tables::close);
  }

  private void pay(String id, Money price) {
    cashier.charge(new Charge(id, "pm_ok", price), "charge-" + id);
    orders.add(new Order(id, "CONFIRMED", price, false, false));
  }

  private void buy(String id) {
    var goods = new Goods.Lines(List.of(new Goods.Line("SKU-1", 2)));
    var price = new Money(50_000, "IDR");
    pay(id, price);
    warehouse.commit(new Inventory.Request(id, goods, price), "commit-" + id);
  }

  private void book(String id) {
    var stay = new Goods.Stay("ROOM-STD", 1, LocalDate.of(2027, 2, 1), LocalDate.of(2027, 2, 3));
    var price = new Money(900_000, "IDR");
    var request = new Inventory.Request(id, stay, price);
    warehouse.reserve(request, "booking-" + id);
    pay(id, price);
    warehouse.confirm(request, "booking-" + id);
  }

  private void refund(String id) {
    cashier.refund(new Refund(id, new Money(50_000, "IDR"), true), "refund-" + id);
    warehouse.release(id, "release-" + id);
    orders.replaceAll(
        order ->
            order.id().equals(id) ? new Order(id, "FAILED", order.total(), false, false) : order);
  }

  private List<String> violations(Tables bank, Tables goods) {
    var evidence = new StoredEvidence(orders::forEach, payment, inventory, bank, goods);
    return Verification.of(evidence).stream()
        .flatMap(finding -> finding.sentences().stream())
        .toList();
  }

  @Test
  void honest_trade_has_no_violations() {
    for (int i = 0; i < MANY; i++) buy("more-" + i);

    assertThat(violations(bankTables, warehouseTables)).isEmpty();
    assertThat(violations(null, null)).isEmpty();
  }

  @Test
  void a_charge_behind_our_back_is_found() {
    bankTables.write(
        "forge",
        session ->
            session.update(
                """
                insert into ledger (at, operation, key, order_id, amount, currency, result)
                values (1, 'charge', 'forged', 'order-5', 50000, 'IDR', 'charged')
                """));

    assertThat(violations(bankTables, warehouseTables))
        .contains(
            "order-5 was charged more than once.",
            "order-5 has no line in our journal for charge forged.");
  }

  @Test
  void goods_that_are_gone_are_found() {
    inventory.write(
        "forge", session -> session.update("delete from taken where booking_id = 'booking'"));

    assertThat(violations(bankTables, warehouseTables))
        .contains(
            "booking is CONFIRMED and has no goods.",
            "ROOM-STD 2027-02-01 has 1 sold, and orders have taken 0.");
  }
}
