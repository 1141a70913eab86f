package dev.tuntas.bench.cluster;

import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Step;
import java.time.Duration;

/// Five calls to partners who take their time.
final class SlowSaga {

  static final int STEPS = 5;

  /// @param note something to carry along
  record Parcel(String note) {}

  private SlowSaga() {}

  static SagaDefinition<Parcel> of(Duration call) {
    return SagaDefinition.saga(
        "slow",
        1,
        Parcel.class,
        step("reserve", call),
        step("pay", call),
        step("pack", call),
        step("send", call),
        step("confirm", call));
  }

  private static Step<Parcel> step(String name, Duration call) {
    return Step.<Parcel>step(
            name,
            (parcel, _) -> {
              Thread.sleep(call);
              return Outcome.done(parcel);
            })
        .undo((parcel, _) -> Outcome.done(parcel));
  }
}
