package dev.tuntas.orders;

import static dev.tuntas.saga.Step.step;

import dev.tuntas.cart.Carts;
import dev.tuntas.inventory.Inventory;
import dev.tuntas.payment.Payments;
import dev.tuntas.saga.Action;
import dev.tuntas.saga.AskPolicy;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.GiveUp;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.RetryPolicy;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// How orders are placed: the three stories, told with the same few steps.
public final class OrderSagas {

  public static final String RESERVE = "reserve";
  public static final String KEEP_HOLD = "keep-hold";
  public static final String CHARGE = "charge";
  public static final String COMMIT_STOCK = "commit-stock";
  public static final String CONFIRM = "confirm";
  public static final String CLEAR_CART = "clear-cart";
  static final String RELEASE = "release";
  static final String REFUND = "refund";
  private static final String CANCELLING = "cancel-";

  /// @param giveUp how long doubt may last before a person is asked
  /// @param bookingGiveUp the same for bookings
  /// @param compensationAttempts how often an undo is tried before it is a dead letter
  /// @param releaseAttempts the same for goods, which may have to wait to be confirmed
  public record Settings(
      Duration giveUp,
      Duration bookingGiveUp,
      int compensationAttempts,
      int releaseAttempts,
      Duration callTimeout,
      Duration askFirst) {

    public static Settings standard() {
      return new Settings(
          Duration.ofHours(24),
          Duration.ofHours(24),
          3,
          3,
          Duration.ofSeconds(10),
          AskPolicy.patient().first());
    }
  }

  private final Inventory inventory;
  private final Payments payments;
  private final Carts carts;
  private final Settings settings;
  private final SagaDefinition<Order> payFirst;
  private final SagaDefinition<Order> reserveFirst;
  private final SagaDefinition<Order> booking;
  private final SagaDefinition<Order> cancellation;
  private final List<SagaDefinition<Order>> rides;

  public OrderSagas(Inventory inventory, Payments payments, Carts carts, Settings settings) {
    this(inventory, payments, carts, settings, List.of(), story -> story);
  }

  /// @param rides the stories of rides: see [RideSaga]
  /// @param watched gives each of the others calls that somebody watches
  public OrderSagas(
      Inventory inventory,
      Payments payments,
      Carts carts,
      Settings settings,
      List<SagaDefinition<Order>> rides,
      UnaryOperator<SagaDefinition<Order>> watched) {
    this.inventory = inventory;
    this.payments = payments;
    this.carts = carts;
    this.settings = settings;
    this.payFirst = watched.apply(definePayFirst());
    this.reserveFirst = watched.apply(defineReserveFirst());
    this.booking = watched.apply(defineBooking());
    this.cancellation = watched.apply(defineCancellation());
    this.rides = List.copyOf(rides);
  }

  /// The default checkout.
  public SagaDefinition<Order> payFirst() {
    return payFirst;
  }

  public SagaDefinition<Order> reserveFirst() {
    return reserveFirst;
  }

  public SagaDefinition<Order> booking() {
    return booking;
  }

  /// What takes a confirmed booking back: a saga of its own, whose id is that of [#cancelling].
  public SagaDefinition<Order> cancellation() {
    return cancellation;
  }

  /// The id of the saga that cancels this order after it was confirmed.
  public static String cancelling(String orderId) {
    return CANCELLING + orderId;
  }

  static boolean isCancellation(String sagaId) {
    return sagaId.startsWith(CANCELLING);
  }

  /// The order that a saga is about.
  static String orderOf(String sagaId) {
    return isCancellation(sagaId) ? sagaId.substring(CANCELLING.length()) : sagaId;
  }

  public List<SagaDefinition<Order>> rides() {
    return rides;
  }

  /// All of them: a running order keeps the story it began with, whatever is configured now.
  public List<SagaDefinition<Order>> all() {
    var all = new ArrayList<>(List.of(payFirst, reserveFirst, booking, cancellation));
    all.addAll(rides);
    return all;
  }

  /// Money first; if there is nothing left to sell it is given back.
  private SagaDefinition<Order> definePayFirst() {
    var steps = new Steps(settings.giveUp);
    return SagaDefinition.saga(
            "checkout",
            1,
            Order.class,
            steps.charge("charge-{id}"),
            steps
                .take(COMMIT_STOCK, "commit-{id}", this::commit)
                .undo(this::release)
                .undoKey("release-{id}")
                .retryUndo(releasing()),
            steps.clearCart())
        .announce(OrderNotices::of);
  }

  /// Stock is held first, so that nobody is charged for what is not there.
  private SagaDefinition<Order> defineReserveFirst() {
    var steps = new Steps(settings.giveUp);
    return SagaDefinition.saga(
            "checkout-reserve-first",
            1,
            Order.class,
            steps.reserve("reserve-{id}"),
            steps.keepHold(),
            steps.charge("charge-{id}"),
            steps.take(COMMIT_STOCK, "commit-{id}", this::commit).harmless(),
            steps.clearCart())
        .announce(OrderNotices::of);
  }

  /// Every night is held while the guest pays.
  private SagaDefinition<Order> defineBooking() {
    var steps = new Steps(settings.bookingGiveUp);
    return SagaDefinition.saga(
            "booking",
            1,
            Order.class,
            steps.reserve("booking-{id}"),
            steps.keepHold(),
            steps.charge("booking-{id}"),
            steps.take(CONFIRM, "confirm-{id}", this::confirm).harmless())
        .announce(OrderNotices::of);
  }

  /// The rooms are free again and the money goes back, under the keys that an undo would have used.
  private SagaDefinition<Order> defineCancellation() {
    var steps = new Steps(settings.bookingGiveUp);
    return SagaDefinition.saga(
            "cancellation",
            1,
            Order.class,
            steps
                .patient(step(RELEASE, this::releaseCancelled))
                .lane("inventory")
                .ifStillUnclear(GiveUp.hold(settings.bookingGiveUp))
                .pivot(),
            steps
                .patient(step(REFUND, this::refundCancelled))
                .lane("payment")
                .ifStillUnclear(GiveUp.hold(settings.bookingGiveUp)))
        .announce(OrderNotices::ofCancellation);
  }

  private RetryPolicy releasing() {
    return RetryPolicy.compensation().attempts(settings.releaseAttempts);
  }

  private Outcome<Order> releaseCancelled(Order order, Call call) {
    var id = orderOf(call.sagaId());
    return inventory.release(id, "release-" + id).map(_ -> order);
  }

  private Outcome<Order> refundCancelled(Order order, Call call) {
    var id = orderOf(call.sagaId());
    var refund = new Payments.Refund(id, order.total(), true);
    return payments.refund(refund, "refund-" + id).map(order::refunded);
  }

  /// What the stories are made of.
  private final class Steps {

    private final Duration giveUp;

    Steps(Duration giveUp) {
      this.giveUp = giveUp;
    }

    Step<Order> reserve(String key) {
      return patient(step(RESERVE, OrderSagas.this::reserve))
          .key(key)
          .undo(OrderSagas.this::release)
          .undoKey("release-{id}")
          .retryUndo(releasing())
          .lane("inventory")
          .ifStillUnclear(GiveUp.undo(giveUp));
    }

    /// From here on money may move: what is held must not expire before that is known.
    Step<Order> keepHold() {
      return patient(step(KEEP_HOLD, OrderSagas.this::keepHold))
          .key("keep-{id}")
          .harmless()
          .lane("inventory")
          .ifStillUnclear(GiveUp.undo(giveUp));
    }

    /// It may have taken money: in doubt it is never undone, a person decides.
    Step<Order> charge(String key) {
      return patient(step(CHARGE, OrderSagas.this::charge))
          .key(key)
          .undo(OrderSagas.this::refund)
          .undoKey("refund-{id}")
          .lane("payment")
          .ifRuledHappened(Order::chargedByRuling)
          .ifStillUnclear(GiveUp.hold(giveUp));
    }

    /// Takes the goods. What was held before is given back, with all that was taken, by the undo of
    /// the hold; then this step itself has nothing to undo.
    Step<Order> take(String name, String key, Action<Order> action) {
      return patient(step(name, action))
          .key(key)
          .lane("inventory")
          .ifStillUnclear(GiveUp.undo(giveUp));
    }

    Step<Order> clearCart() {
      return Step.<Order>step(CLEAR_CART, OrderSagas.this::clearCart)
          .key("clear-{id}")
          .harmless()
          .timeout(settings.callTimeout)
          .lane("cart")
          .optional();
    }

    Step<Order> patient(Step<Order> step) {
      var undo = RetryPolicy.compensation().attempts(settings.compensationAttempts);
      return step.timeout(settings.callTimeout)
          .ifUnclearRepeat(AskPolicy.firstAfter(settings.askFirst))
          .retry(RetryPolicy.patient().within(giveUp))
          .retryUndo(undo);
    }
  }

  private Outcome<Order> reserve(Order order, Call call) {
    return inventory.reserve(order.goodsFor(call.sagaId()), call.key()).map(_ -> order);
  }

  private Outcome<Order> keepHold(Order order, Call call) {
    return inventory.keep(order.goodsFor(call.sagaId()), call.key()).map(_ -> order);
  }

  private Outcome<Order> commit(Order order, Call call) {
    return inventory.commit(order.goodsFor(call.sagaId()), call.key()).map(_ -> order);
  }

  private Outcome<Order> confirm(Order order, Call call) {
    return inventory.confirm(order.goodsFor(call.sagaId()), call.key()).map(_ -> order);
  }

  private Outcome<Order> release(Order order, Call call) {
    return inventory.release(call.sagaId(), call.key()).map(_ -> order);
  }

  /// Goods are paid here. Whatever let such an order in, nobody else has taken the money for it.
  private Outcome<Order> charge(Order order, Call call) {
    var method = order.wish().paymentMethod();
    if (Payments.OUTSIDE.equalsIgnoreCase(method)) {
      return Outcome.declined(
          "payment_method_invalid", "The payment method '" + method + "' charges nobody.");
    }
    var charge = new Payments.Charge(call.sagaId(), method, order.total());
    return payments.charge(charge, call.key()).map(order::charged);
  }

  private Outcome<Order> refund(Order order, Call call) {
    var refund = new Payments.Refund(call.sagaId(), order.total(), true);
    return payments.refund(refund, call.key()).map(order::refunded);
  }

  private Outcome<Order> clearCart(Order order, Call call) {
    var cart = order.wish().cartId();
    return cart == null ? Outcome.done(order) : carts.clear(cart, call.key()).map(_ -> order);
  }
}
