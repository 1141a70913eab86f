package dev.tuntas.orders;

import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.State;
import dev.tuntas.saga.SagaDefinition;
import java.util.HashMap;
import java.util.Map;

/// Tells every entry of an order into a status, once it is durable. Every process tells what it did
/// itself: the sum over all of them is the truth.
public final class StatusJournal implements EngineListener {

  private final Map<SagaDefinition<?>, String> first = new HashMap<>();
  private final RideWatch watch;

  private StatusJournal(RideWatch watch) {
    this.watch = watch;
  }

  public static StatusJournal of(OrderSagas sagas, RideWatch watch) {
    var journal = new StatusJournal(watch);
    var checkout = Standing.first(Order.Kind.CHECKOUT);
    journal.first.put(sagas.payFirst(), checkout);
    journal.first.put(sagas.reserveFirst(), checkout);
    journal.first.put(sagas.booking(), Standing.first(Order.Kind.BOOKING));
    journal.first.put(sagas.cancellation(), Standing.REFUND_PENDING);
    for (var ride : sagas.rides()) journal.first.put(ride, Standing.first(Order.Kind.RIDE));
    return journal;
  }

  /// Of rides alone.
  public static StatusJournal of(RideSaga rides, RideWatch watch) {
    var journal = new StatusJournal(watch);
    for (var ride : rides.all()) journal.first.put(ride, Standing.first(Order.Kind.RIDE));
    return journal;
  }

  @Override
  public void started(SagaDefinition<?> saga, String id) {
    var status = first.get(saga);
    if (status != null) entered(status);
  }

  @Override
  public <D> void changed(SagaDefinition<D> saga, String id, State<D> before, State<D> after) {
    if (!(before.data() instanceof Order old) || !(after.data() instanceof Order now)) return;
    if (after.progress() instanceof Held(_, var why) && why.code().equals("UNSTORABLE")) {
      watch.count(RideMetric.STATUS_UPDATES, "failed");
    }
    var was = Standing.statusOf(id, old, before.progress(), before.trail());
    var is = Standing.statusOf(id, now, after.progress(), after.trail());
    if (!is.equals(was)) entered(is);
  }

  private void entered(String status) {
    watch.count(RideMetric.STATUS_UPDATES, "success");
    watch.count(RideMetric.STATUS, status);
  }
}
