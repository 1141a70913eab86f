package dev.tuntas.simulator.verify;

import dev.tuntas.money.Money;
import dev.tuntas.payment.Books.Balance;
import dev.tuntas.payment.Ledger.Line;
import dev.tuntas.simulator.Effect;
import dev.tuntas.simulator.verify.Evidence.Order;
import dev.tuntas.simulator.verify.Finding.Tally;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What must be true of money.
final class MoneyChecks {

  private final Tally settled =
      new Tally("M1", "a confirmed order has paid its price, and a failed one nothing");
  private final Tally once = new Tally("M2", "no order is charged twice");
  private final Tally bounded = new Tally("M3", "no more is refunded than was charged");
  private final Tally keys = new Tally("M4", "a key stands for one effect");
  private final Tally frozen = new Tally("M7", "what is charged is what was frozen");
  private final Tally journal = new Tally("M8", "our journal balances and agrees with the bank");

  private final Map<String, Order> orders;
  private final Map<String, Account> accounts = new HashMap<>();
  private final Map<String, Balance> balances = new HashMap<>();
  private final Map<String, Movement> movements = new HashMap<>();
  private final Set<String> known = new HashSet<>();

  /// What the bank has of an order.
  private static final class Account {
    private int charges;
    private long kept;
  }

  /// A movement of money in the journal: what our account at the bank gained.
  private static final class Movement {
    private String orderId = "";
    private long gained;
    private long imbalance;
  }

  MoneyChecks(Map<String, Order> orders) {
    this.orders = orders;
  }

  List<Finding> check(Evidence evidence) {
    evidence.eachBalance(balance -> balances.put(balance.orderId(), balance));
    evidence.eachLine(this::enter);
    if (evidence.knowsBank()) evidence.eachBankEffect(this::happened);
    else evidence.eachLine(this::believe);
    if (evidence.knowsWarehouse()) evidence.eachWarehouseEffect(this::requireOnce);
    orders.values().forEach(this::settle);
    movements.forEach(this::compare);
    return List.of(
        settled.finding(),
        once.finding(),
        bounded.finding(),
        keys.finding(),
        frozen.finding(),
        journal.finding());
  }

  private static String name(String operation, String key) {
    return operation + " " + key;
  }

  private void enter(Line line) {
    var movement =
        movements.computeIfAbsent(name(line.operation(), line.key()), _ -> new Movement());
    movement.orderId = line.orderId();
    long change = line.debit().amount() - line.credit().amount();
    movement.imbalance += change;
    if (line.account().equals("bank")) movement.gained += change;
  }

  /// Without the bank's ledger, our journal says what it has done.
  private void believe(Line line) {
    if (!line.account().equals("bank")) return;
    var amount = line.operation().equals("charge") ? line.debit() : line.credit();
    happened(
        new Effect(
            line.at(),
            line.operation(),
            line.key(),
            line.orderId(),
            amount,
            line.operation(),
            List.of()));
  }

  /// One line of the bank's ledger. Our journal's side of it is taken away, so that in the end only
  /// what the bank does not know is left there.
  private void happened(Effect effect) {
    requireOnce(effect);
    var name = name(effect.operation(), effect.key());
    var amount = effect.amount();
    if (amount == null) {
      frozen.add(effect.orderId() + " has a movement of money without an amount.");
      return;
    }
    boolean charge = effect.operation().equals("charge");
    long gained = charge ? amount.amount() : -amount.amount();
    move(effect.orderId(), charge, gained);
    if (charge) requireFrozen(effect.orderId(), amount);
    reconcile(effect.orderId(), name, gained);
  }

  /// Partners share no operation, so their keys cannot be confused.
  private void requireOnce(Effect effect) {
    var name = name(effect.operation(), effect.key());
    keys.require(known.add(name), effect.orderId(), "has an effect twice under the key of " + name);
  }

  private void move(String orderId, boolean charge, long gained) {
    var account = accounts.computeIfAbsent(orderId, _ -> new Account());
    account.kept += gained;
    if (charge && ++account.charges == 2) once.add(orderId + " was charged more than once.");
    bounded.require(account.kept >= 0, orderId, "was refunded more than it was charged");
  }

  private void requireFrozen(String orderId, Money charged) {
    var order = orders.get(orderId);
    if (order == null) return;
    frozen.require(
        order.total().equals(charged),
        orderId,
        "was charged " + charged.text() + " and not its price, " + order.total().text());
  }

  /// A difference is in order while somebody is at it: the order moves, a person looks, or an
  /// answer of the bank is still being asked for.
  private boolean mayDiffer(String orderId) {
    var order = orders.get(orderId);
    var balance = balances.get(orderId);
    if (order == null && balance == null) return true; // it came while we were reading
    return order != null && !order.isSettled() || balance != null && balance.inDoubt();
  }

  private void reconcile(String orderId, String name, long gained) {
    var movement = movements.remove(name);
    if (movement == null) {
      journal.require(mayDiffer(orderId), orderId, "has no line in our journal for " + name);
      return;
    }
    requireBalance(movement, name);
    journal.require(
        movement.gained == gained && movement.orderId.equals(orderId),
        orderId,
        "has another line in our journal than at the bank for " + name);
  }

  /// What is left has no counterpart at the bank.
  private void compare(String name, Movement movement) {
    requireBalance(movement, name);
    journal.add(
        movement.orderId + " has a line in our journal that the bank lacks, for " + name + ".");
  }

  private void requireBalance(Movement movement, String name) {
    journal.require(
        movement.imbalance == 0,
        movement.orderId,
        "has debits and credits that differ, for " + name);
  }

  private void settle(Order order) {
    if (!order.isSettled()) return;
    var account = accounts.get(order.id());
    long kept = account == null ? 0 : account.kept;
    long due = order.isConfirmed() ? due(order) : 0;
    settled.require(
        kept == due || order.isConfirmed() && kept < due && mayDiffer(order.id()),
        order.id(),
        "is " + order.status() + " and the bank keeps " + kept + " of it, not " + due);
  }

  /// The price without what was given back by decision of a person.
  private long due(Order order) {
    if (order.refundApproved()) return 0;
    var balance = balances.get(order.id());
    return order.total().amount() - (balance == null ? 0 : balance.partlyRefunded().amount());
  }
}
