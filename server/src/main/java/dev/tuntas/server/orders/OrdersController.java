package dev.tuntas.server.orders;

import dev.tuntas.areas.AdmissionDecision.Admitted;
import dev.tuntas.areas.AdmissionDecision.Refused;
import dev.tuntas.areas.AreaRules;
import dev.tuntas.areas.AreaService;
import dev.tuntas.areas.WaitingMirror;
import dev.tuntas.areas.Wanted;
import dev.tuntas.audit.Audit;
import dev.tuntas.inventory.Catalogue;
import dev.tuntas.money.Money;
import dev.tuntas.orders.NewOrder;
import dev.tuntas.orders.OrderDesk;
import dev.tuntas.orders.OrderDesk.Receipt;
import dev.tuntas.orders.OrderView;
import dev.tuntas.rides.Trip;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.server.access.Caller;
import dev.tuntas.server.http.IdempotencyKey;
import dev.tuntas.server.http.JsonBody;
import dev.tuntas.server.http.Prefer;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.http.ProblemException;
import dev.tuntas.server.load.LoadPermit;
import dev.tuntas.server.observe.Traces;
import dev.tuntas.server.settings.Here;
import dev.tuntas.server.settings.RideSettings;
import dev.tuntas.server.settings.Settings;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Conditional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Places orders, shows one, cancels one.
@RestController
@Conditional(Here.Web.class)
@RequestMapping("/api/v1/orders")
class OrdersController {

  private final OrderDesk desk;
  private final Answers answers;
  private final Catalogue catalogue;
  private final PaymentMethods methods;
  private final KeyDesk keys;
  private final WaitingMirror mirror;
  private final Traces traces;
  private final Audit audit;
  private final InstantSource clock;
  private final RideSettings rides;
  private final RideAdmission admission;

  OrdersController(
      OrderDesk desk,
      Answers answers,
      Catalogue catalogue,
      PaymentMethods methods,
      KeyDesk keys,
      WaitingMirror mirror,
      Traces traces,
      Audit audit,
      InstantSource clock,
      RideAdmission admission,
      Settings settings) {
    this.admission = admission;
    this.desk = desk;
    this.rides = settings.ride();
    this.answers = answers;
    this.catalogue = catalogue;
    this.methods = methods;
    this.keys = keys;
    this.mirror = mirror;
    this.traces = traces;
    this.audit = audit;
    this.clock = clock;
  }

  /// Accepts or not, at once; the work itself goes on after the answer, unless the client would
  /// rather wait for it.
  @PostMapping
  ResponseEntity<?> place(JsonBody body, Caller caller, HttpServletRequest request)
      throws InterruptedException {
    var key = IdempotencyKey.required(request);
    var print = body.fingerprint();
    var claim = keys.claim(caller.client(), key, print);
    var known = claim.known();
    if (known.isPresent()) return answer(known.get(), claim, caller, key, request);
    Attempt attempt;
    try {
      attempt = attempt(body, caller, key, print);
    } catch (RuntimeException refused) {
      var before = claim.knownAfterAll();
      if (before.isEmpty()) throw refused;
      return answer(before.get(), claim, caller, key, request);
    }
    return switch (attempt) {
      case Attempt.Made made -> answer(made, claim, caller, request);
      case Attempt.TurnedAway(var ride, var refused) -> {
        var before = claim.knownAfterAll();
        yield before.isPresent()
            ? answer(before.get(), claim, caller, key, request)
            : admission.refused(ride, refused, request);
      }
    };
  }

  /// What came of a request.
  private sealed interface Attempt {

    record Made(NewOrder order, @Nullable RideRequest ride, Receipt receipt) implements Attempt {}

    /// There is no room where it would wait.
    record TurnedAway(RideRequest ride, Refused refused) implements Attempt {}
  }

  private Attempt attempt(JsonBody body, Caller caller, String key, String print)
      throws InterruptedException {
    var said = OrderRequest.read(body.fields(), methods, today());
    var wanted = admission.believed(said, caller);
    var ride = wanted.ride();
    var decision = ride == null ? null : admission.ask(ride);
    if (ride != null && decision instanceof Refused refused) {
      return new Attempt.TurnedAway(ride, refused);
    }
    var admitted = decision instanceof Admitted it ? it : null;
    var order = newOrder(wanted, admitted, caller.client(), key, print);
    return new Attempt.Made(order, ride, desk.place(order));
  }

  private ResponseEntity<?> answer(
      Attempt.Made made, KeyDesk.Claim claim, Caller caller, HttpServletRequest request)
      throws InterruptedException {
    claim.placed(made.receipt);
    var ride = made.ride;
    var admitted = made.order.admitted();
    if (admitted != null && made.receipt instanceof Receipt.Placed placed && !placed.repeated()) {
      var slot = Wanted.of(placed.orderId(), admitted, clock.instant());
      mirror.joined(slot.orderId(), new AreaService(slot.area(), slot.service()), slot.expiresAt());
    }
    return ride != null && admitted != null && made.receipt instanceof Receipt.NoRoom
        ? admission.turnedAway(ride, admitted, request)
        : answer(made.receipt, claim, caller, made.order.key(), request);
  }

  private ResponseEntity<?> answer(
      Receipt receipt, KeyDesk.Claim claim, Caller caller, String key, HttpServletRequest request)
      throws InterruptedException {
    LoadPermit.workIsDone(request);
    return switch (receipt) {
      case Receipt.Placed placed -> {
        var wait = Prefer.waiting(request);
        try {
          yield answers.placed(placed, caller, key, wait);
        } catch (ProblemException failed) {
          claim.failed(placed, failed.problem().code());
          throw failed;
        }
      }
      case Receipt.NoRoom _ -> throw new IllegalStateException("nobody asked for room");
      case Receipt.InProgress _ ->
          throw Problem.of(
                  429,
                  "idempotency_in_progress",
                  "The first request with this key is still being accepted.")
              .retryAfter(Duration.ofSeconds(1))
              .asException();
      case Receipt.KeyReused _ ->
          throw Problem.of(
                  422,
                  "idempotency_key_reused",
                  "This key was used for another order. Choose a new one for a new order.")
              .asException();
    };
  }

  private LocalDate today() {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
  }

  private NewOrder newOrder(
      OrderRequest wanted, @Nullable Admitted admitted, String client, String key, String print) {
    var ride = wanted.ride();
    return new NewOrder(
        client,
        key,
        print,
        wanted.kind(),
        wanted.customerId(),
        wanted.wish(),
        ride == null ? price(wanted) : ride.payment().amount(),
        wanted.contact(),
        ride == null ? null : accepted(ride, admitted),
        admitted,
        traces.current().orElse(null));
  }

  private Trip.Wish accepted(RideRequest ride, @Nullable Admitted admitted) {
    var now = clock.instant();
    if (admitted == null) return ride.accepted(now, life(), null, attempts(AreaRules.defaults()));
    var load = admitted.load();
    var lifetime = Duration.ofSeconds(load.rules().orderLifetimeSec());
    return ride.accepted(
        now,
        lifetime.compareTo(life()) < 0 ? lifetime : life(),
        load.area().id(),
        attempts(load.rules()));
  }

  private Duration life() {
    return rides.maxElapsed();
  }

  private Trip.Attempts attempts(AreaRules rules) {
    return rides.attempts(
        Duration.ofSeconds(rules.dispatchTimeoutSec()),
        Duration.ofSeconds(rules.retryIntervalSec()));
  }

  private Money price(OrderRequest wanted) {
    return switch (catalogue.quote(wanted.wish().goods())) {
      case Outcome.Succeeded(var total) -> total;
      case Outcome.Failed(Failure.Declined(var code, var detail)) ->
          throw Problem.of(422, code, detail).asException();
      case Outcome.Failed<Money> _, Outcome.Unclear<Money> _ ->
          throw Problem.of(503, "catalogue_unavailable", "Prices cannot be looked up now.")
              .retryAfter(Duration.ofSeconds(2))
              .asException();
    };
  }

  @GetMapping("/{id}")
  ResponseEntity<?> show(@PathVariable String id, Caller caller, HttpServletRequest request) {
    return answers.shown(visible(id, caller), caller, request.getHeader("If-None-Match"));
  }

  @PostMapping("/{id}/cancel")
  ResponseEntity<?> cancel(@PathVariable String id, Caller caller) throws InterruptedException {
    var owner = visible(id, caller).order().origin().client();
    if (!caller.owns(owner)) audit.append(caller.did("order.cancel", id));
    return answers.cancelled(desk.cancel(id, caller.client()), visible(id, caller), caller);
  }

  private OrderView visible(String id, Caller caller) {
    return desk.find(id)
        .filter(view -> caller.sees(view.order().origin().client()))
        .orElseThrow(() -> Problem.notFound().asException());
  }
}
