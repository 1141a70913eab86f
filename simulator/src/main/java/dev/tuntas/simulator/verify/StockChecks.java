package dev.tuntas.simulator.verify;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.summingLong;

import dev.tuntas.simulator.Effect;
import dev.tuntas.simulator.Effect.Unit;
import dev.tuntas.simulator.verify.Evidence.Holding;
import dev.tuntas.simulator.verify.Evidence.Order;
import dev.tuntas.simulator.verify.Finding.Tally;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What must be true of the goods of orders.
final class StockChecks {

  static final String SOLD = "what is sold belongs to confirmed orders";
  static final String EXACT = "what is released is given back once";

  private final Tally sold = new Tally("S2", SOLD);
  private final Tally leaked = new Tally("S3", "no order that is over holds anything");
  private final Tally late = new Tally("S4", "nothing is given to an order after its release");
  private final Tally exact = new Tally("S5", EXACT);

  private final Map<String, Order> orders;
  private final Map<String, Story> stories = new HashMap<>();
  private final Map<String, Map<String, Long>> takenBy = new HashMap<>();
  private boolean byLedger;

  /// What the warehouse has done about an order.
  private static final class Story {
    private Map<String, Long> taken = Map.of();
    private boolean released;
    private int givenBack;
  }

  StockChecks(Map<String, Order> orders) {
    this.orders = orders;
  }

  List<Finding> check(Evidence evidence) {
    byLedger = evidence.knowsWarehouse();
    if (byLedger) evidence.eachWarehouseEffect(this::happened);
    evidence.eachHolding(this::look);
    orders.values().forEach(this::settle);
    return List.of(sold.finding(), leaked.finding(), late.finding(), exact.finding());
  }

  private void happened(Effect effect) {
    var story = stories.computeIfAbsent(effect.orderId(), _ -> new Story());
    if (effect.operation().equals("release")) {
      release(story, effect);
      return;
    }
    late.require(
        !story.released, effect.orderId(), "was given something after it had been released");
    if (effect.operation().equals("commit") || effect.operation().equals("confirm")) {
      story.taken =
          effect.units().stream().collect(groupingBy(Unit::thing, summingLong(Unit::quantity)));
    }
  }

  private void release(Story story, Effect effect) {
    story.released = true;
    story.taken = Map.of();
    if (effect.result().equals("released")) story.givenBack++;
    exact.require(story.givenBack <= 1, effect.orderId(), "was given back more than once");
  }

  private void look(Holding holding) {
    if (holding.taken() > 0) {
      takenBy
          .computeIfAbsent(holding.orderId(), _ -> new HashMap<>())
          .put(holding.thing(), holding.taken());
    }
    var order = orders.get(holding.orderId());
    if (order == null || !order.isSettled()) return;
    var story = stories.get(holding.orderId());
    exact.require(
        story == null || !story.released,
        order.id(),
        "was released and still has " + holding.thing());
    leaked.require(
        holding.held() == 0,
        order.id(),
        "is " + order.status() + " and still holds " + holding.held() + " of " + holding.thing());
    sold.require(
        holding.taken() == 0 || order.isConfirmed(),
        order.id(),
        "is " + order.status() + " and has taken " + holding.taken() + " of " + holding.thing());
  }

  /// A confirmed order has its goods, and the warehouse's own ledger says the same.
  private void settle(Order order) {
    if (!order.isSettled()) return;
    var has = takenBy.getOrDefault(order.id(), Map.of());
    if (order.isConfirmed() && !order.refundApproved()) {
      sold.require(!has.isEmpty(), order.id(), "is CONFIRMED and has no goods");
    }
    var story = stories.get(order.id());
    var given = story == null ? Map.<String, Long>of() : story.taken;
    sold.require(
        !byLedger || given.equals(has),
        order.id(),
        "was given " + say(given) + " by the warehouse, and the inventory says " + say(has));
  }

  private static String say(Map<String, Long> goods) {
    if (goods.isEmpty()) return "nothing";
    return new TreeMap<>(goods)
        .entrySet().stream()
            .map(entry -> entry.getValue() + " of " + entry.getKey())
            .collect(joining(", "));
  }
}
