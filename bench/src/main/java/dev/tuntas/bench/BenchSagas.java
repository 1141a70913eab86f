package dev.tuntas.bench;

import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Step;

/// The sagas that the engine runs here.
final class BenchSagas {

  /// Three calls that do nothing, each changing the order.
  static final SagaDefinition<Order> CHECKOUT =
      SagaDefinition.saga(
          "checkout",
          1,
          Order.class,
          Step.<Order>step("payment", (order, _) -> Outcome.done(order.paid()))
              .undo((order, _) -> Outcome.done(order)),
          Step.<Order>step("inventory", (order, _) -> Outcome.done(order.committed()))
              .undo((order, _) -> Outcome.done(order)),
          Step.<Order>step("confirm", (order, _) -> Outcome.done(order.confirmed())).pivot());

  /// Sleeps in the table until somebody tells it something, for a day at most.
  static final SagaDefinition<Order> DELIVERY =
      SagaDefinition.saga(
          "delivery",
          1,
          Order.class,
          Step.<Order>waitFor("driver").onSignal("driver", (order, _) -> Outcome.done(order)));

  private BenchSagas() {}
}
