package dev.tuntas.server.orders;

import dev.tuntas.orders.UnreadableOrderException;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.http.Problems;
import dev.tuntas.server.settings.Here;
import dev.tuntas.support.StuckOrders;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/// Whoever asks for an order that cannot be read is told so, and so is the support team.
@ControllerAdvice
@Conditional(Here.Web.class)
@Order(Ordered.HIGHEST_PRECEDENCE) // before the advice for everything else
class UnreadableOrders {

  private final StuckOrders stuck;

  UnreadableOrders(StuckOrders stuck) {
    this.stuck = stuck;
  }

  @ExceptionHandler(UnreadableOrderException.class)
  void answer(
      UnreadableOrderException failure, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    stuck.unreadable(failure);
    var problem =
        Problem.of(
            500, "order_unreadable", "The order is known but cannot be read. Support was told.");
    Problems.write(problem, request, response);
  }
}
