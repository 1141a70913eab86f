package dev.tuntas.orders;

import dev.tuntas.engine.StepView;
import dev.tuntas.payment.Payments;
import dev.tuntas.rides.Closing;
import dev.tuntas.rides.Dispatch;
import dev.tuntas.rides.DispatchEvent;
import dev.tuntas.rides.PaymentState;
import dev.tuntas.rides.Trip;
import dev.tuntas.saga.Action;
import dev.tuntas.saga.AskPolicy;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.GiveUp;
import dev.tuntas.saga.Late;
import dev.tuntas.saga.Notice;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.RetryPolicy;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import dev.tuntas.saga.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// How a ride is ordered: booked at the partner, whose callback with the job id may get lost, so
/// that the partner is asked for it; then drivers are looked for, attempt by attempt; all within
/// one clock that began when the ride was accepted. What comes after that is told by the driver.
public final class RideSaga {

  public static final String ENTER_PAYMENT = "enter-payment";
  public static final String BOOK = "book";
  public static final String JOB = DispatchEvent.JOB;
  public static final String DRIVER = DispatchEvent.DRIVER;
  public static final String PICK_UP = DispatchEvent.PICK_UP;
  public static final String TRIP = DispatchEvent.TRIP;

  /// The signal of whoever takes the money, and the fact that is made of it: the status, and after
  /// a space the reference if there is one.
  public static final String PAYMENT = "payment";

  static final String PAYMENT_AFTER_END = "payment-after-end";

  private static final String ASKING = "ride";
  private static final String WAITING = "ride-by-callback";

  /// The signal of the support desk, and the fact that is made of it.
  static final String REFUND = "refund";

  static final String REFUND_DONE = "done";

  /// Tells a ride that somebody decided to give money of it back.
  ///
  /// @param refundId the refund that was begun
  public static Signal refundBegun(String refundId) {
    return new Signal("support", refundId + "/begun", REFUND, "pending");
  }

  /// Tells a ride that all of its money is back. One that did not hear that this was begun, because
  /// it had not ended then, hears that first.
  ///
  /// @param refundId the refund that was the last
  public static List<Signal> refundMade(String refundId) {
    return List.of(
        new Signal("support", refundId + "/under-way", REFUND, "pending"),
        new Signal("support", refundId + "/made", REFUND, REFUND_DONE));
  }

  public static final String LANE = "bbd";

  /// @param initialWait how long the callback with the job id is waited for before asking
  /// @param attempt how long one attempt to find a driver lasts
  /// @param between how long after it the next one begins
  /// @param news when the partner is asked for news of a driver who was found
  /// @param lost how long a driver may say nothing before a ride is given up
  public record Settings(
      Duration initialWait,
      Duration attempt,
      RetryPolicy between,
      AskPolicy news,
      Duration callTimeout,
      Duration lost,
      int compensationAttempts) {

    private static final Duration NEWS_MAX = Duration.ofMinutes(5);

    public static Settings standard() {
      return new Settings(
          Duration.ofSeconds(5),
          Duration.ofMinutes(2),
          fixed(Duration.ofSeconds(15)),
          news(Duration.ofMinutes(2)),
          Duration.ofSeconds(10),
          Duration.ofHours(24),
          RetryPolicy.compensation().attemptsMax());
    }

    public static RetryPolicy fixed(Duration pause) {
      return RetryPolicy.patient().intervals(pause, pause).multiplier(1).jitter(0);
    }

    /// 2, 2, 4, 5, 5 ... minutes, spread by 30 %, if the first is two.
    public static AskPolicy news(Duration first) {
      var longest = first.compareTo(NEWS_MAX) < 0 ? NEWS_MAX : first;
      return AskPolicy.firstAfter(first).then(POLLS.intervals(first, longest));
    }

    /// 15, 30, 60, 60 ... seconds.
    public static RetryPolicy exponential(Duration first, Duration longest) {
      return RetryPolicy.patient().intervals(first, longest).jitter(0);
    }
  }

  /// 2, 4, 8, 16, 32, 60, 60 ... seconds, spread by 30 %.
  public static final RetryPolicy POLLS =
      RetryPolicy.patient()
          .intervals(Duration.ofSeconds(2), Duration.ofSeconds(60))
          .multiplier(2)
          .jitter(0.3);

  private final Dispatch partner;
  private final Payments payments;
  private final Settings settings;
  private final SagaDefinition<Order> ride;
  private final SagaDefinition<Order> patientRide;
  private final List<SagaDefinition<Order>> older;

  public RideSaga(Dispatch partner, Payments payments, Settings settings) {
    this(partner, payments, settings, story -> story);
  }

  /// @param watched gives each story calls that somebody watches
  public RideSaga(
      Dispatch partner,
      Payments payments,
      Settings settings,
      UnaryOperator<SagaDefinition<Order>> watched) {
    this.partner = partner;
    this.payments = payments;
    this.settings = settings;
    var news = List.of(askedFor(PICK_UP, this::askForPickUp), askedFor(TRIP, this::askForEnd));
    this.ride = watched.apply(define(ASKING, 2, asked(job()), news));
    this.patientRide = watched.apply(define(WAITING, 2, job(), news));
    var unasked = List.of(told(PICK_UP), told(TRIP));
    this.older =
        List.of(
            watched.apply(define(ASKING, 1, asked(job()), unasked)),
            watched.apply(define(WAITING, 1, job(), unasked)));
  }

  /// The partner is asked for the job id if its callback does not come.
  public SagaDefinition<Order> asking() {
    return ride;
  }

  /// The callback alone is waited for.
  public SagaDefinition<Order> waiting() {
    return patientRide;
  }

  /// With those that rides of older programs still follow.
  public List<SagaDefinition<Order>> all() {
    var all = new ArrayList<>(List.of(ride, patientRide));
    all.addAll(older);
    return all;
  }

  private SagaDefinition<Order> define(
      String name, int version, Step<Order> job, List<Step<Order>> news) {
    return SagaDefinition.saga(
            name,
            version,
            Order.class,
            enterPayment(),
            book(),
            job,
            driver(),
            news.getFirst(),
            news.getLast())
        .announce(RideNotices::of)
        .onLateSignal(RideSaga::late);
  }

  /// What was paid elsewhere is in our books before anything can go wrong with the ride.
  private Step<Order> enterPayment() {
    return Step.<Order>step(ENTER_PAYMENT, this::enterPayment)
        .key("outside-{id}")
        .harmless()
        .lane("payment")
        .timeout(settings.callTimeout)
        .ifStillUnclear(GiveUp.undo(settings.lost))
        .until(RideSaga::end);
  }

  private Step<Order> book() {
    return Step.<Order>step(BOOK, this::book)
        .key("book-{id}")
        .undo(this::takeBack)
        .undoKey("cancel-{id}")
        .lane(LANE)
        .timeout(settings.callTimeout)
        .ifUnclearRepeat(AskPolicy.patient())
        .retryUndo(RetryPolicy.compensation().attempts(settings.compensationAttempts))
        .ifStillUnclear(GiveUp.undo(settings.lost))
        .until(RideSaga::end);
  }

  private Step<Order> job() {
    return Step.<Order>waitFor(JOB)
        .onSignal(JOB, RideSaga::assigned)
        .ifStillUnclear(GiveUp.undo(settings.lost))
        .until(RideSaga::end);
  }

  private Step<Order> asked(Step<Order> job) {
    return job.ifUnclearAsk(this::askForJob, AskPolicy.firstAfter(settings.initialWait).then(POLLS))
        .lane(LANE)
        .timeout(settings.callTimeout);
  }

  /// Attempts to find a driver. What comes of one is told; if it was not, the partner is asked for
  /// it before the next one begins.
  private Step<Order> driver() {
    return Step.<Order>waitFor(DRIVER)
        .key("dispatch-{id}")
        .onSignal(DRIVER, RideSaga::driverTold)
        .ifUnclearAsk(this::lookForDriver, this::attempts)
        .lane(LANE)
        .timeout(settings.callTimeout)
        .ifStillUnclear(GiveUp.undo(settings.lost))
        .until(RideSaga::end);
  }

  /// As they were agreed when the ride was accepted.
  private AskPolicy attempts(Order order) {
    var agreed = order.ride().wish().attempts();
    var first = AskPolicy.firstAfter(Duration.ZERO);
    return agreed == null
        ? first.lasting(settings.attempt).then(settings.between)
        : first
            .lasting(agreed.lasts())
            .then(Settings.exponential(agreed.pause(), agreed.pauseMax()));
  }

  /// Which attempt is under way, or was the last, when the partner was asked so often.
  public static int attempt(int asks) {
    return AskPolicy.round(asks);
  }

  /// When the next attempt begins if the one that is under way comes to nothing.
  public static @Nullable Instant nextDispatch(Trip trip, StepView search) {
    var next = search.nextAttemptAt();
    var agreed = trip.wish().attempts();
    if (next == null || agreed == null || !AskPolicy.begins(search.attempts())) return next;
    var pauses = Settings.exponential(agreed.pause(), agreed.pauseMax());
    return next.plus(pauses.after(attempt(search.attempts()), 0));
  }

  private Step<Order> told(String name) {
    return Step.<Order>waitFor(name)
        .onSignal(name, RideSaga::driverTold)
        .ifStillUnclear(GiveUp.undo(settings.lost));
  }

  private Step<Order> askedFor(String name, Action<Order> question) {
    return told(name)
        .ifUnclearAsk(question, settings.news)
        .lane(LANE)
        .timeout(settings.callTimeout);
  }

  private static Instant end(Order order) {
    return order.ride().wish().endsAt();
  }

  // Calls

  private Outcome<Order> enterPayment(Order order, Call call) {
    var status = order.ride().wish().paymentStatus();
    return PaymentState.of(status) == PaymentState.PAID
        ? enter(payments, call.sagaId(), order).map(_ -> order)
        : Outcome.done(order);
  }

  /// Enters in the books that somebody else took the money for a ride. It is the same entry
  /// whenever it is made.
  public static Outcome<Payments.Receipt> enter(Payments payments, String orderId, Order order) {
    var charge = new Payments.Charge(orderId, Payments.OUTSIDE, order.total());
    return payments.charge(charge, "outside-" + orderId);
  }

  private Outcome<Order> book(Order order, Call call) {
    return partner
        .book(request(order, call.sagaId()), call.key())
        .map(booking -> order.with(order.ride().booked(booking.bookingId())));
  }

  private static Dispatch.Ride request(Order order, String orderId) {
    var wish = order.ride().wish();
    return new Dispatch.Ride(
        orderId, order.origin().customerId(), wish.serviceType(), wish.pickup(), wish.dropoff());
  }

  private Outcome<Order> askForJob(Order order, Call call) {
    return partner
        .job(bookingOf(order.ride()))
        .map(
            job ->
                order.with(
                    order
                        .ride()
                        .assigned(
                            new Trip.Job(job.jobId(), Trip.Method.PROACTIVE, call.attempt()))));
  }

  /// Each attempt is an effect of its own. That it was begun is no answer yet.
  private Outcome<Order> lookForDriver(Order order, Call call) {
    if (!AskPolicy.begins(call.attempt())) return askForDriver(order);
    int attempt = attempt(call.attempt());
    var key = call.key() + "-" + attempt;
    return switch (partner.dispatch(bookingOf(order.ride()), attempt, key)) {
      case Outcome.Succeeded<Dispatch.Booking> _ -> Outcome.pending("looking for a driver");
      case Outcome.Failed<Dispatch.Booking>(var failure) -> new Outcome.Failed<>(failure);
      case Outcome.Unclear<Dispatch.Booking>(var why, var doubt) ->
          new Outcome.Unclear<>(why, doubt);
    };
  }

  /// A driver who has turned back since was there.
  private Outcome<Order> askForDriver(Order order) {
    return understood(
        partner.job(bookingOf(order.ride())),
        job ->
            switch (job.status()) {
              case DRIVER_ASSIGNED, PICKED_UP, COMPLETED, CANCELLED_BY_DRIVER ->
                  Outcome.done(
                      order.with(
                          order.ride().drivenBy(job.driverId()).at(Trip.Stage.DRIVER_ASSIGNED)));
              case CANCELLED ->
                  Outcome.declined("booking_cancelled", "The partner took the booking back.");
              case ASSIGNED -> Outcome.pending("no driver was found");
            });
  }

  private Outcome<Order> askForPickUp(Order order, Call call) {
    return askedGently(
        order,
        job ->
            switch (job.status()) {
              case PICKED_UP, COMPLETED ->
                  Outcome.done(order.with(order.ride().at(Trip.Stage.PICKED_UP)));
              case CANCELLED_BY_DRIVER ->
                  Outcome.declined(Closing.DRIVER_CANCELLED, "The driver cancelled the ride.");
              case ASSIGNED, DRIVER_ASSIGNED, CANCELLED -> Outcome.pending("not picked up");
            });
  }

  private Outcome<Order> askForEnd(Order order, Call call) {
    return askedGently(
        order,
        job ->
            job.status() == Dispatch.Status.COMPLETED
                ? Outcome.done(order)
                : Outcome.pending("not there yet"));
  }

  /// With a driver on the way no refusal to answer ends a ride.
  private Outcome<Order> askedGently(Order order, Function<Dispatch.Job, Outcome<Order>> meaning) {
    return switch (partner.job(bookingOf(order.ride()))) {
      case Outcome.Failed<Dispatch.Job>(Failure.Unavailable away) -> new Outcome.Failed<>(away);
      case Outcome.Failed<Dispatch.Job>(var failure) -> Outcome.unclear(failure.code());
      case Outcome<Dispatch.Job> answer -> understood(answer, meaning);
    };
  }

  private static Outcome<Order> understood(
      Outcome<Dispatch.Job> answer, Function<Dispatch.Job, Outcome<Order>> meaning) {
    return switch (answer) {
      case Outcome.Succeeded<Dispatch.Job>(var job) -> meaning.apply(job);
      case Outcome.Failed<Dispatch.Job>(var failure) -> new Outcome.Failed<>(failure);
      case Outcome.Unclear<Dispatch.Job>(var why, var doubt) -> new Outcome.Unclear<>(why, doubt);
    };
  }

  private static String bookingOf(Trip trip) {
    var booking = trip.bookingId();
    if (booking == null) throw new IllegalStateException("the ride was not booked");
    return booking;
  }

  /// A booking whose answer got lost is taken back by its key. Should it arrive only after that,
  /// the partner refuses it; to book again and ask for its name would make the very booking that is
  /// not wanted, or learn nothing from one that is refused today and made tomorrow.
  private Outcome<Order> takeBack(Order order, Call call) {
    var known = order.ride().bookingId();
    var booking = known == null ? "book-" + call.sagaId() : known;
    return partner.cancel(booking, call.key()).map(_ -> order);
  }

  // What is told

  private static Outcome<Order> assigned(Order order, Signal signal) {
    var event = DispatchEvent.read(signal);
    var job = event.jobId();
    if (job == null || job.isBlank()) return Outcome.pending("it names no job");
    return Outcome.done(
        order.with(booking(order, event).assigned(new Trip.Job(job, Trip.Method.CALLBACK, 0))));
  }

  private static Trip booking(Order order, DispatchEvent event) {
    var trip = order.ride();
    var told = event.bookingId();
    return trip.bookingId() == null && told != null ? trip.booked(told) : trip;
  }

  private static Outcome<Order> driverTold(Order order, Signal signal) {
    var event = DispatchEvent.read(signal);
    if (event.type() == DispatchEvent.Type.NO_DRIVER) return Outcome.pending("no driver was found");
    if (event.type() == DispatchEvent.Type.DRIVER_CANCELLED && signal.name().equals(PICK_UP)) {
      var why = event.reason() == null ? "The driver cancelled the ride." : event.reason();
      return Outcome.declined(Closing.DRIVER_CANCELLED, why);
    }
    var stage = signal.name().equals(DRIVER) ? Trip.Stage.DRIVER_ASSIGNED : Trip.Stage.PICKED_UP;
    return Outcome.done(order.with(order.ride().drivenBy(event.driverId()).at(stage)));
  }

  /// A job that is assigned after we gave up is cancelled at the partner. A payment is noted
  /// whenever it comes; if it comes too late, somebody has to give it back.
  private static Late<Order> late(Signal signal, Late.Context<Order> context) {
    boolean over = context.phase() == Late.Phase.UNDOING || context.phase() == Late.Phase.UNDONE;
    return switch (signal.name()) {
      case PAYMENT ->
          over
              ? new Late.Note<>(PAYMENT_AFTER_END, signal.body(), refund(signal, context))
              : new Late.Note<>(PAYMENT, signal.body(), List.of());
      case REFUND -> over ? refunded(signal, context) : new Late.Ignore<>();
      case JOB ->
          over ? new Late.Undo<>(BOOK, booked(signal, context.data())) : new Late.Ignore<>();
      default -> new Late.Ignore<>();
    };
  }

  /// Money that is back is not on its way again.
  private static Late<Order> refunded(Signal signal, Late.Context<Order> context) {
    var before = context.facts().get(REFUND);
    var cause = context.cause();
    if (cause == null || signal.body().equals(before) || REFUND_DONE.equals(before)) {
      return new Late.Ignore<>();
    }
    var facts = new TreeMap<>(context.facts());
    facts.put(REFUND, signal.body());
    return new Late.Note<>(
        REFUND, signal.body(), RideNotices.refunded(context.data(), cause, facts));
  }

  private static Order booked(Signal signal, Order order) {
    return order.with(booking(order, DispatchEvent.read(signal)));
  }

  private static List<Notice> refund(Signal signal, Late.Context<Order> context) {
    var before = PaymentState.of(RideStanding.paymentStatusNow(context.data(), context.facts()));
    boolean isPaid = PaymentState.of(RideStanding.word(signal.body())) == PaymentState.PAID;
    var cause = context.cause();
    return isPaid && before != PaymentState.PAID && cause != null
        ? List.of(RideNotices.paidTooLate(context.data(), cause))
        : List.of();
  }
}
