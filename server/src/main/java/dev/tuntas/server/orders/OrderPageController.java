package dev.tuntas.server.orders;

import dev.tuntas.orders.OrderDesk;
import dev.tuntas.orders.OrderView;
import dev.tuntas.server.http.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/// The customer's page of an order. Who has the link may see it: the link cannot be guessed.
@Controller
class OrderPageController {

  private final OrderDesk desk;
  private final OrderStream stream;
  private final byte[] script;

  OrderPageController(OrderDesk desk, OrderStream stream) throws IOException {
    this.desk = desk;
    this.stream = stream;
    this.script = new ClassPathResource("pages/order.js").getContentAsByteArray();
  }

  @GetMapping("/o/{token}")
  String page(@PathVariable String token, Model model, HttpServletResponse response) {
    var view = find(token);
    response.setHeader("Cache-Control", "no-store");
    model.addAttribute("text", PageText.of(view));
    model.addAttribute("total", view.order().total().text());
    model.addAttribute("id", view.id());
    model.addAttribute("version", view.version());
    model.addAttribute("live", !view.standing().isFinal());
    return "order";
  }

  /// Which version the order has, as it moves; what is new, the page itself shows.
  @GetMapping("/o/{token}/events")
  void follow(@PathVariable String token, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    if (!stream.followVersions(find(token), request.getHeader("Last-Event-ID"), response)) {
      throw OrderEventsController.tooMany();
    }
  }

  @GetMapping("/order.js")
  ResponseEntity<byte[]> script() {
    return ResponseEntity.ok()
        .contentType(MediaType.parseMediaType("text/javascript;charset=UTF-8"))
        .header("Cache-Control", "max-age=300")
        .body(script);
  }

  /// A wrong token and an unknown order look the same.
  private OrderView find(String token) {
    int dot = token.indexOf('.');
    if (dot < 0) throw Problem.notFound().asException();
    var given = token.substring(dot + 1).getBytes(StandardCharsets.UTF_8);
    return desk.find(token.substring(0, dot))
        .filter(
            view ->
                MessageDigest.isEqual(
                    view.order().origin().pageToken().getBytes(StandardCharsets.UTF_8), given))
        .orElseThrow(() -> Problem.notFound().asException());
  }
}
