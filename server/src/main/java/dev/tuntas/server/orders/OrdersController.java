package dev.tuntas.server.orders;

import dev.tuntas.audit.Audit;
import dev.tuntas.inventory.Catalogue;
import dev.tuntas.money.Money;
import dev.tuntas.orders.NewOrder;
import dev.tuntas.orders.OrderDesk;
import dev.tuntas.orders.OrderDesk.Receipt;
import dev.tuntas.orders.OrderView;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.server.access.Caller;
import dev.tuntas.server.http.IdempotencyKey;
import dev.tuntas.server.http.JsonBody;
import dev.tuntas.server.http.Prefer;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.load.LoadPermit;
import dev.tuntas.server.observe.IdempotencyHits;
import dev.tuntas.server.observe.Traces;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Places orders, shows one, cancels one.
@RestController
@RequestMapping("/api/v1/orders")
class OrdersController {

  private final OrderDesk desk;
  private final Answers answers;
  private final Catalogue catalogue;
  private final PaymentMethods methods;
  private final IdempotencyHits hits;
  private final Traces traces;
  private final Audit audit;
  private final InstantSource clock;

  OrdersController(
      OrderDesk desk,
      Answers answers,
      Catalogue catalogue,
      PaymentMethods methods,
      IdempotencyHits hits,
      Traces traces,
      Audit audit,
      InstantSource clock) {
    this.desk = desk;
    this.answers = answers;
    this.catalogue = catalogue;
    this.methods = methods;
    this.hits = hits;
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
    var known = desk.known(caller.client(), key, print);
    var receipt =
        known.isPresent() ? known.get() : desk.place(newOrder(body, caller.client(), key, print));
    LoadPermit.workIsDone(request);
    if (wasKnown(receipt)) hits.inDatabase();
    return switch (receipt) {
      case Receipt.Placed placed ->
          answers.placed(placed, caller.client(), key, Prefer.waiting(request));
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

  private static boolean wasKnown(Receipt receipt) {
    return switch (receipt) {
      case Receipt.Placed placed -> placed.repeated();
      case Receipt.KeyReused _ -> true;
      case Receipt.InProgress _ -> false;
    };
  }

  private NewOrder newOrder(JsonBody body, String client, String key, String print) {
    var today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    var wanted = OrderRequest.read(body.fields(), methods, today);
    var total = price(wanted);
    return new NewOrder(
        client,
        key,
        print,
        wanted.kind(),
        wanted.customerId(),
        wanted.wish(),
        total,
        wanted.contact(),
        traces.current().orElse(null));
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
    return answers.shown(visible(id, caller), request.getHeader("If-None-Match"));
  }

  @PostMapping("/{id}/cancel")
  ResponseEntity<?> cancel(@PathVariable String id, Caller caller) throws InterruptedException {
    var owner = visible(id, caller).order().origin().client();
    if (!caller.client().equals(owner)) audit.append(caller.did("order.cancel", id));
    return answers.cancelled(desk.cancel(id, caller.client()), visible(id, caller));
  }

  private OrderView visible(String id, Caller caller) {
    return desk.find(id)
        .filter(view -> caller.sees(view.order().origin().client()))
        .orElseThrow(() -> Problem.notFound().asException());
  }
}
