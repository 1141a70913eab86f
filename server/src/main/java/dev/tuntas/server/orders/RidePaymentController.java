package dev.tuntas.server.orders;

import dev.tuntas.audit.Audit;
import dev.tuntas.engine.Engine;
import dev.tuntas.orders.OrderDesk;
import dev.tuntas.orders.OrderView;
import dev.tuntas.orders.RideSaga;
import dev.tuntas.payment.Payments;
import dev.tuntas.rides.PaymentState;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Signal;
import dev.tuntas.server.access.Caller;
import dev.tuntas.server.access.Role;
import dev.tuntas.server.http.JsonBody;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.settings.Here;
import java.time.Duration;
import java.util.UUID;
import org.springframework.context.annotation.Conditional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

/// Hears from whoever takes the money for a ride. It may be told again and again, and at any time:
/// what is paid after the ride was over is given back by hand.
@RestController
@Conditional(Here.Web.class)
class RidePaymentController {

  private static final Duration HEARD_WITHIN = Duration.ofSeconds(1);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(10);

  private final OrderDesk desk;
  private final Engine engine;
  private final Payments payments;
  private final OrderJson json;
  private final Audit audit;

  RidePaymentController(
      OrderDesk desk, Engine engine, Payments payments, OrderJson json, Audit audit) {
    this.audit = audit;
    this.desk = desk;
    this.engine = engine;
    this.payments = payments;
    this.json = json;
  }

  @PutMapping("/api/v1/orders/{id}/payment")
  ResponseEntity<?> tell(@PathVariable String id, JsonBody body, Caller caller)
      throws InterruptedException {
    var fields = body.fields();
    var status = RideRequest.Payment.status(fields);
    var reference = RideRequest.Payment.reference(fields);
    fields.finish();
    var view = visible(id, caller);
    if (view.order().trip() == null) {
      throw Problem.of(409, "not_a_ride", "Only the payment of a ride is told from outside.")
          .asException();
    }
    var told = reference == null ? status : status + " " + reference;
    if (!caller.owns(view.order().origin().client())) {
      audit.append(caller.did("order.payment", id).changing(view.paymentStatus(), told));
    }
    // The money is in the books before anybody acts on it.
    if (PaymentState.of(status) == PaymentState.PAID) enter(view);
    engine.signal(id, new Signal("payment", UUID.randomUUID().toString(), RideSaga.PAYMENT, told));
    return answer(id, status, caller);
  }

  private OrderView visible(String id, Caller caller) {
    return desk.find(id)
        .filter(it -> caller.may(Role.SERVICE) || caller.sees(it.order().origin().client()))
        .orElseThrow(() -> Problem.notFound().asException());
  }

  private void enter(OrderView view) {
    switch (RideSaga.enter(payments, view.id(), view.order())) {
      case Outcome.Succeeded<Payments.Receipt> _ -> {}
      case Outcome.Failed<Payments.Receipt>(Failure.Declined(var code, var detail)) ->
          throw Problem.of(409, code, detail).asException();
      case Outcome.Failed<Payments.Receipt> _, Outcome.Unclear<Payments.Receipt> _ ->
          throw Problem.of(
                  503,
                  "payment_unavailable",
                  "It could not be entered in the books. Tell it again.")
              .retryAfter(Duration.ofSeconds(1))
              .asException();
    }
  }

  /// 202 if the ride has not heard it yet: it is stored, and will.
  private ResponseEntity<?> answer(String id, String status, Caller caller)
      throws InterruptedException {
    long end = System.nanoTime() + HEARD_WITHIN.toNanos();
    while (true) {
      var view = desk.find(id).orElseThrow();
      boolean heard = view.paymentStatus().equals(status);
      if (heard || System.nanoTime() > end) {
        return ResponseEntity.status(heard ? 200 : 202).body(json.of(view, caller));
      }
      Thread.sleep(LOOK_AGAIN);
    }
  }
}
