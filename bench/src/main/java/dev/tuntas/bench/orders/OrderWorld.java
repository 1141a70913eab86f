package dev.tuntas.bench.orders;

import dev.tuntas.cart.Carts;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.Status;
import dev.tuntas.inventory.Goods;
import dev.tuntas.inventory.StockAudit;
import dev.tuntas.inventory.StockList;
import dev.tuntas.inventory.StockRoom;
import dev.tuntas.inventory.StockSettings;
import dev.tuntas.money.Money;
import dev.tuntas.orders.Order;
import dev.tuntas.orders.OrderSagas;
import dev.tuntas.payment.Cashier;
import dev.tuntas.saga.Action;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Step;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import dev.tuntas.testkit.simulation.World;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Orders of the platform, with our own inventory and payment on tables in memory: the same code
/// that runs in the server. Stock is short, holds run out, cards are declined, the bank is
/// unreliable.
public final class OrderWorld implements World<Order> {

  /// Which story is told.
  public enum Story {
    PAY_FIRST,
    RESERVE_FIRST,
    BOOKING
  }

  private static final String SKU = "SKU-1";
  private static final String ROOM = "ROOM-STD";
  private static final LocalDate FIRST_NIGHT = LocalDate.of(2027, 1, 10);
  private static final Money PRICE = new Money(10_000, "IDR");
  private static final int DECLINES_EVERY = 11;
  private static final int EXPIRED_AT_ONCE = 100;

  private final InstantSource clock;
  private final Tables stock;
  private final StockRoom inventory;
  private final ModelBank bank;
  private final SagaDefinition<Order> saga;
  private final boolean holdsRunOut;
  private @Nullable Instant auditedAt;

  public OrderWorld(Story story, Outside outside, RandomGenerator random) {
    clock = outside.clock();
    stock = Tables.inMemory(TableSet.of("inventory"));
    holdsRunOut = random.nextInt(3) == 0;
    var holdTtl = Duration.ofSeconds(holdsRunOut ? 2 : 900);
    var settings = new StockSettings(holdTtl, ZoneOffset.UTC);
    inventory = new StockRoom(stock, clock, settings);
    var list = new StockList(stock, clock, settings);
    int units = random.nextInt(5, 80);
    list.putItem(SKU, units, PRICE);
    list.putRoom(ROOM, units, PRICE);
    bank = new ModelBank(random, random.nextInt(3) == 0 ? 0.1 : 0);
    var cashier = new Cashier(Tables.inMemory(Cashier.TABLES), bank, clock);
    Carts carts =
        (cart, _) ->
            cart.endsWith("3")
                ? Outcome.declined("cart_gone", "The cart is gone.")
                : Outcome.done(new Carts.Cleared(cart));
    var times =
        new OrderSagas.Settings(
            Duration.ofMinutes(10),
            Duration.ofMinutes(10),
            3,
            3,
            Duration.ofSeconds(2),
            Duration.ofMillis(500));
    var sagas = new OrderSagas(inventory, cashier, carts, times);
    var told =
        switch (story) {
          case PAY_FIRST -> sagas.payFirst();
          case RESERVE_FIRST -> sagas.reserveFirst();
          case BOOKING -> sagas.booking();
        };
    saga = told.rewired(this::withExpiry);
  }

  /// The job that gives back what ran out is as late as it can be: it runs before every call.
  private Step<Order> withExpiry(Step<Order> step) {
    return step.rewired(this::expireFirst, this::expireFirst, this::expireFirst);
  }

  private Action<Order> expireFirst(Action<Order> action) {
    return (order, call) -> {
      if (holdsRunOut) inventory.expire(clock.instant(), EXPIRED_AT_ONCE);
      return action.perform(order, call);
    };
  }

  @Override
  public SagaDefinition<Order> saga() {
    return saga;
  }

  @Override
  public Order order(int n) {
    var method = n % DECLINES_EVERY == 7 ? "pm_declined" : "pm_ok";
    var origin = new Order.Origin("shop", "cus-" + n, saga.toString(), "t" + n);
    if (saga.name().equals("booking")) {
      var stay = new Goods.Stay(ROOM, 1, FIRST_NIGHT, FIRST_NIGHT.plusDays(1 + n % 3));
      var total = PRICE.times(1 + n % 3).orElseThrow();
      return Order.of(Order.Kind.BOOKING, origin, Order.Wish.of(stay, method), total);
    }
    var lines = List.of(new Goods.Line(SKU, 1 + n % 3));
    var wish = Order.Wish.of(lines, n % 2 == 0 ? null : "cart-" + n, method);
    return Order.of(Order.Kind.CHECKOUT, origin, wish, PRICE.times(1 + n % 3).orElseThrow());
  }

  @Override
  public @Nullable String wrongNow(String sagaId) {
    return bank.wrongNow(sagaId);
  }

  @Override
  public @Nullable String wrongAtRest(SagaRow saga) {
    if (!clock.instant().equals(auditedAt)) {
      for (var violation : new StockAudit(stock).violations()) return violation;
      auditedAt = clock.instant();
    }
    var id = saga.id();
    long kept = bank.kept(id);
    if (saga.status() == Status.DONE) {
      if (kept == 0) return "it is confirmed and not paid";
      return hasTaken(id) ? null : "it is confirmed and has no goods";
    }
    if (kept != 0) return "it failed and " + kept + " were kept";
    if (hasTaken(id)) return "it failed and has taken goods";
    return holds(id) ? "it failed and holds goods" : null;
  }

  @Override
  public boolean happened(String sagaId, String step) {
    return switch (step) {
      case OrderSagas.CHARGE -> bank.kept(sagaId) > 0;
      case OrderSagas.RESERVE, OrderSagas.KEEP_HOLD -> holds(sagaId) || hasTaken(sagaId);
      case OrderSagas.COMMIT_STOCK, OrderSagas.CONFIRM -> hasTaken(sagaId);
      default -> false;
    };
  }

  private boolean hasTaken(String order) {
    return count("select count(*) from taken where booking_id = ?", order) > 0;
  }

  private boolean holds(String order) {
    return count("select count(*) from reservation_holds where booking_id = ?", order) > 0;
  }

  private int count(String sql, String order) {
    return stock.read("look", session -> session.first(sql, row -> row.getInt(1), order).orElse(0));
  }
}
