package dev.tuntas.orders;

import dev.tuntas.cart.Carts;
import dev.tuntas.inventory.Inventory;
import dev.tuntas.money.Money;
import dev.tuntas.payment.Payments;
import dev.tuntas.saga.Outcome;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// Services that do what they are told to, and note every call.
final class FakeServices implements Inventory, Payments, Carts {

  final List<String> calls = new CopyOnWriteArrayList<>();
  final AtomicInteger stock = new AtomicInteger(1_000);
  volatile boolean releaseRefused;
  volatile boolean releaseUnclear;
  volatile boolean refundRefused;
  private final Map<String, AtomicInteger> tries = new ConcurrentHashMap<>();

  @Override
  public Outcome<Receipt> charge(Charge charge, String key) {
    calls.add("charge " + key);
    int n = tries.computeIfAbsent(key, _ -> new AtomicInteger()).incrementAndGet();
    return switch (charge.paymentMethod()) {
      case "pm_declined" -> Outcome.declined("payment_declined", "The card was declined.");
      case "pm_poor" ->
          Outcome.declined("insufficient_funds", "Declined; charge succeeded; bye;ok charge");
      case "pm_lost_reply" -> n == 1 ? Outcome.unclear("connection lost") : charged(charge);
      case "pm_endless" ->
          Outcome.done(new Receipt("x".repeat(40_000), charge.amount(), "charged"));
      case "pm_never" -> Outcome.unclear("503");
      default -> charged(charge);
    };
  }

  private static Outcome<Receipt> charged(Charge charge) {
    return Outcome.done(new Receipt("tx-" + charge.orderId(), charge.amount(), "charged"));
  }

  @Override
  public Outcome<Receipt> refund(Refund refund, String key) {
    if (refundRefused) return Outcome.declined("closed", "The account is closed.");
    calls.add("refund " + key);
    return Outcome.done(new Receipt("rf-" + refund.orderId(), refund.amount(), "refunded"));
  }

  @Override
  public Outcome<Reservation> reserve(Request request, String key) {
    calls.add("reserve " + key);
    if (stock.get() < 1) return Outcome.declined("out_of_stock", "There is none left.");
    return Outcome.done(new Reservation("r", null, Money.zero("IDR")));
  }

  @Override
  public Outcome<Reservation> keep(Request request, String key) {
    calls.add("keep " + key);
    return Outcome.done(new Reservation("r", null, Money.zero("IDR")));
  }

  @Override
  public Outcome<Movement> confirm(Request request, String key) {
    calls.add("confirm " + key);
    return Outcome.done(new Movement(request.orderId(), "confirmed"));
  }

  @Override
  public Outcome<Movement> commit(Request request, String key) {
    calls.add("commit " + key);
    if (stock.getAndDecrement() < 1) return Outcome.declined("out_of_stock", "None left.");
    return Outcome.done(new Movement(request.orderId(), "committed"));
  }

  @Override
  public Outcome<Movement> release(String orderId, String key) {
    if (releaseRefused) return Outcome.declined("unknown", "There is no such room.");
    calls.add("release " + key);
    if (releaseUnclear) return Outcome.unclear("503");
    return Outcome.done(new Movement(orderId, "released"));
  }

  @Override
  public Outcome<Cleared> clear(String cartId, String key) {
    calls.add("clear " + key);
    return Outcome.done(new Cleared(cartId));
  }
}
