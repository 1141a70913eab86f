package dev.tuntas.inventory;

import dev.tuntas.bus.Bus;
import dev.tuntas.bus.BusAwayException;
import dev.tuntas.bus.CloudEvent;
import dev.tuntas.bus.Handler;
import dev.tuntas.bus.NotNow;
import dev.tuntas.bus.Once;
import dev.tuntas.bus.Refused;
import dev.tuntas.bus.Subscription;
import dev.tuntas.bus.UnsentException;
import dev.tuntas.inventory.Inventory.Movement;
import dev.tuntas.inventory.Inventory.Reservation;
import dev.tuntas.inventory.StockMessages.AboutOrder;
import dev.tuntas.inventory.StockMessages.Declined;
import dev.tuntas.inventory.StockMessages.Release;
import dev.tuntas.inventory.StockMessages.Released;
import dev.tuntas.inventory.StockMessages.Reserve;
import dev.tuntas.inventory.StockMessages.Reserved;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// The inventory's side of the bus: does what commands say and answers them. The stock remembers
/// every answer under its key, so that a command that comes again, after a crash anywhere, is
/// answered the same; it is forgotten only when its answer is at the broker.
public final class StockCommands {

  public static final String QUEUE = "tuntas-inventory";

  public static final Set<String> KINDS =
      Set.of(
          StockMessages.RESERVE,
          StockMessages.RELEASE,
          StockMessages.PAYMENT_FAILED,
          StockMessages.ORDER_TIMEOUT);

  private static final String SOURCE = "/tuntas/inventory";
  private static final int TRIES = 3;

  private final Inventory inventory;
  private final StockRoom room;
  private final Bus bus;
  private final InstantSource clock;

  /// @param inventory the stock room, or whatever stands before it
  public StockCommands(Inventory inventory, StockRoom room, Bus bus, InstantSource clock) {
    this.inventory = inventory;
    this.room = room;
    this.bus = bus;
    this.clock = clock;
  }

  public Subscription listen(Once once) {
    return bus.listen(QUEUE, KINDS, handler(once));
  }

  Handler handler(Once once) {
    return once.performing(this::perform);
  }

  private void perform(CloudEvent command) throws Refused, NotNow {
    switch (command.type()) {
      case StockMessages.RESERVE -> reserve(command.data(Reserve.class));
      case StockMessages.RELEASE -> release(command.data(Release.class));
      case StockMessages.PAYMENT_FAILED -> paymentFailed(command.data(AboutOrder.class).orderId());
      case StockMessages.ORDER_TIMEOUT -> timeOut(command.data(AboutOrder.class).orderId());
      default -> throw new Refused("The inventory knows no " + command.type() + ".");
    }
  }

  /// A reservation that failed is only told.
  private void reserve(Reserve wish) throws NotNow {
    var order = wish.orderId();
    var key = wish.key();
    switch (certain(() -> inventory.reserve(wish.request(), key))) {
      case Outcome.Succeeded<Reservation>(var held) ->
          answer(
              StockMessages.RESERVED,
              order,
              key,
              new Reserved(order, key, held.reservationId(), held.expiresAt(), held.total()));
      case Outcome.Failed<Reservation>(var failure) ->
          decline(StockMessages.RESERVE_FAILED, order, key, failure);
      case Outcome.Unclear<Reservation> _ -> throw new IllegalStateException();
    }
  }

  private void release(Release wish) throws NotNow {
    released(wish.orderId(), wish.key(), () -> inventory.release(wish.orderId(), wish.key()));
  }

  private void paymentFailed(String order) throws NotNow {
    var key = "release-" + order;
    released(order, key, () -> inventory.release(order, key));
  }

  private void timeOut(String order) throws NotNow {
    var key = "timeout-" + order;
    released(order, key, () -> room.timeOut(order, key));
  }

  private void released(String order, String key, Supplier<Outcome<Movement>> work) throws NotNow {
    switch (certain(work)) {
      case Outcome.Succeeded<Movement>(var moved) ->
          answer(StockMessages.RELEASED, order, key, new Released(order, key, moved.result()));
      case Outcome.Failed<Movement>(var failure) ->
          decline(StockMessages.RELEASE_FAILED, order, key, failure);
      case Outcome.Unclear<Movement> _ -> throw new IllegalStateException();
    }
  }

  /// What is unclear, or could not be done now, is done again with the same key.
  private static <T> Outcome<T> certain(Supplier<Outcome<T>> work) throws NotNow {
    for (int i = 0; i < TRIES; i++) {
      var outcome = work.get();
      boolean again =
          outcome instanceof Outcome.Unclear<T>
              || (outcome instanceof Outcome.Failed<T>(var failure)
                  && failure instanceof Failure.Unavailable);
      if (!again) return outcome;
    }
    throw new NotNow("the stock does not answer", null);
  }

  private void decline(String kind, String order, String key, Failure failure) throws NotNow {
    answer(kind, order, key, new Declined(order, key, failure.code(), failure.detail()));
  }

  private void answer(String kind, String order, String key, Object data) throws NotNow {
    var event = CloudEvent.of(kind + "/" + key, SOURCE, kind, order, clock.instant(), data);
    try {
      bus.send(List.of(event.message(true, null)));
    } catch (BusAwayException | UnsentException e) {
      throw new NotNow("the answer does not get out: " + e.getMessage(), e);
    }
  }
}
