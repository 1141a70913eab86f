package dev.tuntas.simulator;

import dev.tuntas.inventory.Inventory;
import dev.tuntas.money.Money;
import dev.tuntas.saga.Outcome;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A stock room behind bad weather, with a ledger of its own. What was done is in the ledger before
/// it is answered; after a crash in between, the same key asked again completes it.
public final class SimulatedWarehouse implements Inventory {

  public static final TableSet TABLES = TableSet.of("warehouse");

  private final Inventory stock;
  private final Tables tables;
  private final Effects effects;
  private final Weather weather;
  private final InstantSource clock;

  public SimulatedWarehouse(Inventory stock, Tables tables, Weather weather, InstantSource clock) {
    this.stock = stock;
    this.tables = tables;
    this.effects = new Effects(tables);
    this.weather = weather;
    this.clock = clock;
  }

  @Override
  public Outcome<Reservation> reserve(Request request, String key) {
    return call(
        () -> stock.reserve(request, key),
        held -> effect("reserve", key, request, held.total(), "reserved"));
  }

  @Override
  public Outcome<Reservation> keep(Request request, String key) {
    return call(
        () -> stock.keep(request, key), held -> effect("keep", key, request, held.total(), "kept"));
  }

  @Override
  public Outcome<Movement> confirm(Request request, String key) {
    return call(
        () -> stock.confirm(request, key),
        moved -> effect("confirm", key, request, request.total(), moved.result()));
  }

  @Override
  public Outcome<Movement> commit(Request request, String key) {
    return call(
        () -> stock.commit(request, key),
        moved -> effect("commit", key, request, request.total(), moved.result()));
  }

  @Override
  public Outcome<Movement> release(String orderId, String key) {
    return call(
        () -> stock.release(orderId, key),
        moved ->
            new Effect(clock.instant(), "release", key, orderId, null, moved.result(), List.of()));
  }

  private Effect effect(
      String operation, String key, Request request, @Nullable Money amount, String result) {
    return new Effect(
        clock.instant(),
        operation,
        key,
        request.orderId(),
        amount,
        result,
        Effect.unitsOf(request.goods()));
  }

  @FunctionalInterface
  private interface Entry<T> {
    Effect of(T done);
  }

  private <T> Outcome<T> call(Supplier<Outcome<T>> service, Entry<T> entry) {
    return weather.call(
        () -> {
          var outcome = service.get();
          if (outcome instanceof Outcome.Succeeded<T>(var done)) {
            tables.write("enter in the ledger", s -> effects.add(s, entry.of(done)));
          }
          return outcome;
        });
  }
}
