package dev.tuntas.orders;

import dev.tuntas.engine.Engine;
import dev.tuntas.engine.Ruling;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.StoreException;
import dev.tuntas.rides.Trip;
import dev.tuntas.saga.SagaDefinition;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Where orders are placed, looked at and cancelled. The key, the order, its saga and its first
/// notice are one commit; what the store cannot tell for sure is thrown as a [StoreException], and
/// asking again with the same key finds out.
public final class OrderDesk {

  /// What became of a request.
  public sealed interface Receipt {

    /// It is an order, now or since an earlier request with the same key.
    ///
    /// @param order as it was placed, if that was now: it need not be read back
    record Placed(String orderId, boolean repeated, @Nullable Order order) implements Receipt {

      public Placed(String orderId, boolean repeated) {
        this(orderId, repeated, null);
      }
    }

    /// Too many orders wait where it would have waited. Nothing of it is left.
    record NoRoom() implements Receipt {}

    /// The same request is being accepted at this moment.
    record InProgress() implements Receipt {}

    /// The key was used for another request.
    record KeyReused() implements Receipt {}
  }

  /// What became of a wish to cancel.
  public enum Cancel {
    /// It is or will be undone.
    DONE,
    UNDER_WAY,
    TOO_LATE
  }

  private static final Duration ACCEPT_WITHIN = Duration.ofSeconds(10);

  /// A request that is repeated while it is being accepted waits so long for the first one.
  private static final Duration PATIENCE = Duration.ofMillis(500);

  private static final Duration CANCEL_WITHIN = Duration.ofMillis(800);
  private static final Duration CANCELLABLE_FOR = Duration.ofHours(24);
  private static final int TOKEN_BYTES = 16;

  private record Key(String client, String key) {}

  private final Engine engine;
  private final OrderReader reader;
  private final OrderBook book;
  private final OrderIds ids;
  private final InstantSource clock;
  private final SagaDefinition<Order> cancellation;
  private final Map<Order.Kind, SagaDefinition<Order>> stories;
  private final Function<String, SagaDefinition<Order>> rides;
  private final Map<Key, CompletableFuture<Boolean>> accepting = new ConcurrentHashMap<>();
  private final SecureRandom tokens = new SecureRandom();

  /// @param rides the story of the ride with this id
  public OrderDesk(
      Engine engine,
      OrderReader reader,
      OrderBook book,
      OrderIds ids,
      OrderSagas sagas,
      boolean reserveFirst,
      Function<String, SagaDefinition<Order>> rides,
      InstantSource clock) {
    this.rides = rides;
    this.engine = engine;
    this.reader = reader;
    this.book = book;
    this.ids = ids;
    this.clock = clock;
    this.cancellation = sagas.cancellation();
    this.stories =
        Map.of(
            Order.Kind.CHECKOUT,
            reserveFirst ? sagas.reserveFirst() : sagas.payFirst(),
            Order.Kind.BOOKING,
            sagas.booking());
  }

  // Placing

  /// The order that was placed with a key, if it is this very request. To be asked before anything
  /// else: a client that repeats an accepted order is never turned away.
  public Optional<Receipt> known(String client, String key, String fingerprint) {
    return book.known(client, key).map(known -> compare(known, fingerprint));
  }

  private static Receipt compare(OrderBook.Known known, String fingerprint) {
    return known.fingerprint().equals(fingerprint)
        ? new Receipt.Placed(known.orderId(), true)
        : new Receipt.KeyReused();
  }

  /// Places an order, durably.
  public Receipt place(NewOrder order) throws InterruptedException {
    var key = new Key(order.client(), order.key());
    var id = ids.next();
    var story = story(order.kind(), id);
    var data = data(order, story);
    var mine = new CompletableFuture<Boolean>();
    var first = accepting.putIfAbsent(key, mine);
    if (first != null) return repeated(first, order);
    var started = start(id, order, story, data);
    started.whenComplete(
        (isNew, failure) -> {
          accepting.remove(key);
          mine.complete(failure == null && isNew);
        });
    boolean isNew;
    boolean noRoom;
    try {
      isNew = await(started);
    } finally {
      noRoom = book.foundNoRoom(id);
    }
    if (isNew) return new Receipt.Placed(id, false, data);
    return noRoom
        ? new Receipt.NoRoom()
        : known(order.client(), order.key(), order.fingerprint())
            .orElseThrow(() -> unknown("the key was there and is gone", null));
  }

  private SagaDefinition<Order> story(Order.Kind kind, String id) {
    if (kind == Order.Kind.RIDE) return rides.apply(id);
    var story = stories.get(kind);
    if (story == null) throw new IllegalArgumentException("no story for " + kind);
    return story;
  }

  private Order data(NewOrder order, SagaDefinition<Order> story) {
    var origin =
        new Order.Origin(
            order.client(), order.customerId(), story.toString(), token(), order.trace());
    var ride = order.ride();
    return ride == null
        ? Order.of(order.kind(), origin, order.wish(), order.total())
        : Order.ride(origin, Trip.of(ride), order.total());
  }

  private CompletableFuture<Boolean> start(
      String id, NewOrder order, SagaDefinition<Order> story, Order data) {
    book.expect(id, order);
    try {
      return engine.startAsync(story, id, data).whenComplete((_, _) -> book.forget(id));
    } catch (RuntimeException e) {
      book.forget(id);
      return CompletableFuture.failedFuture(e);
    }
  }

  private String token() {
    var bytes = new byte[TOKEN_BYTES];
    tokens.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private Receipt repeated(CompletableFuture<Boolean> first, NewOrder order)
      throws InterruptedException {
    try {
      first.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      return new Receipt.InProgress();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // it is never completed with a failure
    }
    return known(order.client(), order.key(), order.fingerprint())
        .orElseGet(Receipt.InProgress::new);
  }

  private static boolean await(CompletableFuture<Boolean> started) throws InterruptedException {
    try {
      return started.get(ACCEPT_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      throw unknown("it is not known whether the order was accepted", late);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) throw cause;
      throw unknown("it is not known whether the order was accepted", failed);
    }
  }

  private static StoreException unknown(String what, @Nullable Exception cause) {
    return new StoreException(StoreException.Kind.UNKNOWN, what, cause);
  }

  // Looking

  public Optional<OrderView> find(String orderId) {
    return reader.find(orderId);
  }

  /// Waits for an order to be confirmed or to fail for good, and returns it as it is then.
  public Optional<OrderView> await(String orderId, Duration atMost) throws InterruptedException {
    engine.await(orderId, atMost);
    return find(orderId);
  }

  // Cancelling

  /// Cancels an order, if it is not too late, and waits a moment for the decision.
  public Cancel cancel(String orderId, String actor) throws InterruptedException {
    var before = find(orderId).orElseThrow();
    // A ruling would move even a saga that has ended: it would be younger than it is.
    if (before.hasEnded()) return cancelEnded(before);
    var ruling = engine.rule(orderId, Ruling.cancel(actor, "cancelled through the API"));
    var verdict = engine.verdict(ruling, CANCEL_WITHIN).orElse("");
    if (verdict.startsWith("refused")) return cancelEnded(find(orderId).orElseThrow());
    var end = engine.await(orderId, CANCEL_WITHIN);
    if (end.isPresent() && end.get() != Status.DONE) return Cancel.DONE;
    // The verdict may come later than the end that it was too late for, and that end later than we
    // wait. A ride is over at once, whatever its partner still has to be told.
    var after = find(orderId).orElseThrow();
    return after.hasEnded() ? cancelEnded(after) : Cancel.UNDER_WAY;
  }

  /// A booking that was confirmed late may be one too many: it can be taken back for a day.
  private Cancel cancelEnded(OrderView view) throws InterruptedException {
    var standing = view.standing();
    boolean late = view.order().kind() == Order.Kind.BOOKING && standing.recoveryConfirmed();
    if (!late) return standing.wentThrough() ? Cancel.TOO_LATE : Cancel.DONE;
    var id = OrderSagas.cancelling(view.id());
    if (standing.status().equals(Standing.CONFIRMED)) {
      var lastMoment = view.confirmedAt().plus(CANCELLABLE_FOR);
      if (clock.instant().isAfter(lastMoment)) return Cancel.TOO_LATE;
      engine.start(cancellation, id, view.order());
    }
    var end = engine.await(id, CANCEL_WITHIN);
    if (end.isEmpty()) return Cancel.UNDER_WAY;
    return end.get() == Status.DONE ? Cancel.DONE : Cancel.TOO_LATE;
  }
}
