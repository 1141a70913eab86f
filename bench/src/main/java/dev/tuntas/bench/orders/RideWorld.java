package dev.tuntas.bench.orders;

import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.Status;
import dev.tuntas.money.Money;
import dev.tuntas.orders.Order;
import dev.tuntas.orders.RideSaga;
import dev.tuntas.payment.Cashier;
import dev.tuntas.rides.Dispatch;
import dev.tuntas.rides.Trip;
import dev.tuntas.saga.AskPolicy;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import dev.tuntas.saga.Step;
import dev.tuntas.store.Tables;
import dev.tuntas.testkit.simulation.World;
import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Rides, with our own payment on tables in memory and a partner that cannot be relied on. Payments
/// are told at any time. A life of thirty minutes is one of forty seconds here: nothing depends on
/// it.
public final class RideWorld implements World<Order> {

  private static final Duration LIFE = Duration.ofSeconds(40);
  private static final Money PRICE = new Money(150_000, "IDR");
  private static final String[] PAYMENTS = {"PAID", "UNPAID", "PENDING", "ON_HOLD"};

  private final Outside outside;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final ModelBank bank;
  private final ModelPartner partner;
  private final SagaDefinition<Order> saga;

  public RideWorld(Outside outside, RandomGenerator random) {
    this.outside = outside;
    this.clock = outside.clock();
    this.random = random;
    bank = new ModelBank(random, random.nextInt(3) == 0 ? 0.1 : 0);
    partner = new ModelPartner(outside, random, LIFE.plus(LIFE.dividedBy(2)));
    var cashier = new Cashier(Tables.inMemory(Cashier.TABLES), bank, clock);
    var settings =
        new RideSaga.Settings(
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            RideSaga.Settings.fixed(Duration.ofSeconds(2)),
            AskPolicy.firstAfter(Duration.ofSeconds(10)),
            Duration.ofSeconds(2),
            Duration.ofMinutes(3),
            3);
    var sagas = new RideSaga(partner, cashier, settings);
    var told = random.nextInt(4) == 0 ? sagas.waiting() : sagas.asking();
    saga = told.rewired(this::paidSometime);
  }

  @Override
  public SagaDefinition<Order> saga() {
    return saga;
  }

  @Override
  public Order order(int n) {
    var at = clock.instant();
    var wish =
        new Trip.Wish(
            "RIDE",
            null,
            null,
            null,
            new Dispatch.Place(-6.2, 106.8),
            new Dispatch.Place(-6.1, 106.6),
            PAYMENTS[n % PAYMENTS.length],
            null,
            at,
            at.plus(LIFE),
            attempts(n));
    var origin = new Order.Origin("app", "usr-" + n, saga.toString(), "t" + n);
    return Order.ride(origin, Trip.of(wish), PRICE);
  }

  /// Areas differ, and some rides were accepted before that mattered.
  private static Trip.@Nullable Attempts attempts(int n) {
    if (n % 3 == 0) return null;
    return new Trip.Attempts(
        Duration.ofSeconds(3L * (n % 3)), Duration.ofSeconds(1), Duration.ofSeconds(4));
  }

  /// Somebody pays, at a time that suits nobody.
  private Step<Order> paidSometime(Step<Order> step) {
    if (!step.name().equals(RideSaga.ENTER_PAYMENT)) return step;
    return step.rewired(
        action ->
            (order, call) -> {
              var after = Duration.ofMillis(random.nextLong(1, LIFE.toMillis() * 3 / 2));
              var paid = new Signal("payment", "p-" + call.sagaId(), RideSaga.PAYMENT, "PAID");
              outside.signal(call.sagaId(), paid, after);
              return action.perform(order, call);
            },
        undo -> undo,
        probe -> probe);
  }

  @Override
  public @Nullable String wrongNow(String sagaId) {
    if (partner.bookings(sagaId) > 1) return "it was booked " + partner.bookings(sagaId) + " times";
    return bank.wrongNow(sagaId);
  }

  @Override
  public @Nullable String wrongAtRest(SagaRow saga) {
    if (saga.status() == Status.DONE) {
      return partner.hasArrived(saga.id()) ? null : "it has arrived and the partner does not know";
    }
    return partner.isGoingOn(saga.id()) ? "it was given up and the partner still drives" : null;
  }

  @Override
  public boolean happened(String sagaId, String step) {
    return switch (step) {
      case RideSaga.ENTER_PAYMENT -> bank.kept(sagaId) > 0;
      case RideSaga.BOOK -> partner.isGoingOn(sagaId) || partner.hasArrived(sagaId);
      default -> partner.hasArrived(sagaId);
    };
  }
}
