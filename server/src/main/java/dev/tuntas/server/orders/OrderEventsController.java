package dev.tuntas.server.orders;

import dev.tuntas.orders.OrderDesk;
import dev.tuntas.server.access.Caller;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.settings.Here;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.springframework.context.annotation.Conditional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// Lets a client follow one of its orders.
@RestController
@Conditional(Here.Web.class)
class OrderEventsController {

  private final OrderDesk desk;
  private final OrderStream stream;

  OrderEventsController(OrderDesk desk, OrderStream stream) {
    this.desk = desk;
    this.stream = stream;
  }

  @GetMapping("/api/v1/orders/{id}/events")
  void follow(
      @PathVariable String id,
      Caller caller,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException, InterruptedException {
    var view =
        desk.find(id)
            .filter(it -> caller.sees(it.order().origin().client()))
            .orElseThrow(() -> Problem.notFound().asException());
    if (!stream.follow(view, caller, request.getHeader("Last-Event-ID"), response)) {
      throw tooMany();
    }
  }

  static RuntimeException tooMany() {
    return Problem.of(503, "overloaded", "Too many follow their orders now; ask again instead.")
        .retryAfter(Duration.ofSeconds(5))
        .asException();
  }
}
