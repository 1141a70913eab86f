package dev.tuntas.server.callbacks;

import dev.tuntas.rides.DispatchEvent;
import dev.tuntas.server.callbacks.CallbackBook.Delivery;
import dev.tuntas.server.callbacks.CallbackBook.Result;
import dev.tuntas.server.http.JsonBody;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.settings.Here;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import org.springframework.context.annotation.Conditional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// What partners tell us of their own accord. Nobody needs a key: what is rightly signed is theirs.
@RestController
@Conditional(Here.Web.class)
class CallbackController {

  /// @param status `applied`, `parked`, `ignored` or `disputed`
  record Taken(String status, boolean duplicate) {}

  private final CallbackBook book;
  private final CallbackSecrets secrets;
  private final MeterRegistry meters;

  CallbackController(CallbackBook book, CallbackSecrets secrets, MeterRegistry meters) {
    this.book = book;
    this.secrets = secrets;
    this.meters = meters;
  }

  @PostMapping("/api/v1/callbacks/{partner}")
  ResponseEntity<Taken> take(@PathVariable String partner, HttpServletRequest request) {
    if (!partner.equals(DispatchEvent.SOURCE)) throw Problem.notFound().asException();
    var callback = SignedCallback.read(request);
    secrets.require(callback);
    var body = JsonBody.of(callback.body());
    var fields = body.fields();
    var price = NamedPrice.read(fields);
    var event = DispatchEventReader.read(callback.id(), fields);
    var name = event.map(it -> it.type().text()).orElse("unknown");
    var result = book.take(new Delivery(callback.id(), body.fingerprint(), name, event, price));
    count(name, result);
    return answer(result);
  }

  private void count(String event, Result result) {
    var outcome = result.name().toLowerCase(Locale.ROOT);
    meters
        .counter(
            "partner_callbacks_total",
            "partner",
            DispatchEvent.SOURCE,
            "event",
            event,
            "result",
            outcome)
        .increment();
  }

  private static ResponseEntity<Taken> answer(Result result) {
    return switch (result) {
      case APPLIED -> ResponseEntity.ok(new Taken("applied", false));
      case DUPLICATE -> ResponseEntity.ok(new Taken("applied", true));
      case PARKED -> ResponseEntity.accepted().body(new Taken("parked", false));
      case IGNORED -> ResponseEntity.accepted().body(new Taken("ignored", false));
      case DISPUTED -> ResponseEntity.accepted().body(new Taken("disputed", false));
      case CONFLICT ->
          throw Problem.of(
                  409, "event_conflict", "Something else was told before under this webhook-id.")
              .asException();
    };
  }
}
