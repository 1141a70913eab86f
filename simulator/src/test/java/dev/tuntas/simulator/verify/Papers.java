package dev.tuntas.simulator.verify;

import dev.tuntas.money.Money;
import dev.tuntas.payment.Books.Balance;
import dev.tuntas.payment.Ledger.Line;
import dev.tuntas.simulator.Effect;
import dev.tuntas.simulator.Effect.Unit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/// Evidence on paper, which a test can forge.
final class Papers implements Evidence {

  static final Instant AT = Instant.parse("2027-01-01T00:00:00Z");
  static final Money PRICE = idr(100);

  final List<Order> orders = new ArrayList<>();
  final List<Balance> balances = new ArrayList<>();
  final List<Line> lines = new ArrayList<>();
  final List<Shelf> shelves = new ArrayList<>();
  final List<Holding> holdings = new ArrayList<>();
  final List<Effect> bank = new ArrayList<>();
  final List<Effect> warehouse = new ArrayList<>();
  boolean knowsBank = true;
  boolean knowsWarehouse = true;

  static Money idr(long amount) {
    return new Money(amount, "IDR");
  }

  /// One order that was bought, one that was refunded, one that is under way: all in order.
  static Papers inOrder() {
    var papers = new Papers();
    papers.order("bought", "CONFIRMED");
    papers.moved("charge", "charge-bought", "bought", 100);
    papers.balance("bought", 100, 0, 0, false);
    papers.did("commit", "bought", "committed", 2);
    papers.holdings.add(new Holding("bought", "SKU-1", 0, 2));

    papers.order("refunded", "FAILED");
    papers.moved("charge", "charge-refunded", "refunded", 100);
    papers.moved("refund", "refund-refunded", "refunded", 100);
    papers.balance("refunded", 100, 100, 0, false);
    papers.did("reserve", "refunded", "reserved", 3);
    papers.did("release", "refunded", "released", 0);

    papers.order("moving", "ACCEPTED");
    papers.bankOnly("charge", "charge-moving", "moving", 100);
    papers.did("reserve", "moving", "reserved", 1);
    papers.holdings.add(new Holding("moving", "SKU-1", 1, 0));

    papers.shelves.add(new Shelf("SKU-1", 10, 7, 1, 2));
    return papers;
  }

  void order(String id, String status) {
    orders.add(new Order(id, status, PRICE, false, false));
  }

  void balance(String order, long captured, long refunded, long partly, boolean inDoubt) {
    balances.removeIf(balance -> balance.orderId().equals(order));
    balances.add(
        new Balance(order, idr(captured), idr(refunded), idr(partly), idr(0), false, inDoubt));
  }

  void bankOnly(String operation, String key, String order, long amount) {
    bank.add(new Effect(AT, operation, key, order, idr(amount), operation, List.of()));
  }

  void journalOnly(String operation, String key, String order, long amount) {
    boolean charge = operation.equals("charge");
    line(operation, key, order, charge ? "bank" : "customer", amount, 0);
    line(operation, key, order, charge ? "customer" : "bank", 0, amount);
  }

  void line(String operation, String key, String order, String account, long debit, long credit) {
    lines.add(new Line(AT, order, operation, key, account, idr(debit), idr(credit)));
  }

  void moved(String operation, String key, String order, long amount) {
    bankOnly(operation, key, order, amount);
    journalOnly(operation, key, order, amount);
  }

  void did(String operation, String order, String result, int quantity) {
    var units = quantity == 0 ? List.<Unit>of() : List.of(new Unit("SKU-1", quantity));
    var key = operation + "-" + order + "-" + warehouse.size();
    warehouse.add(new Effect(AT, operation, key, order, null, result, units));
  }

  @Override
  public void eachOrder(Consumer<Order> taker) {
    orders.stream().sorted(Comparator.comparing(Order::id)).forEach(taker);
  }

  @Override
  public void eachBalance(Consumer<Balance> taker) {
    balances.forEach(taker);
  }

  @Override
  public void eachLine(Consumer<Line> taker) {
    lines.forEach(taker);
  }

  @Override
  public void eachShelf(Consumer<Shelf> taker) {
    shelves.forEach(taker);
  }

  @Override
  public void eachHolding(Consumer<Holding> taker) {
    holdings.forEach(taker);
  }

  @Override
  public boolean knowsBank() {
    return knowsBank;
  }

  @Override
  public void eachBankEffect(Consumer<Effect> taker) {
    if (!knowsBank) throw new IllegalStateException("there is no ledger of the bank");
    bank.forEach(taker);
  }

  @Override
  public boolean knowsWarehouse() {
    return knowsWarehouse;
  }

  @Override
  public void eachWarehouseEffect(Consumer<Effect> taker) {
    if (!knowsWarehouse) throw new IllegalStateException("there is no ledger of the warehouse");
    warehouse.forEach(taker);
  }
}
