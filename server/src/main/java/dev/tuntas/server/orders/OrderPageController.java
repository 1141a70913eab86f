package dev.tuntas.server.orders;

import dev.tuntas.areas.AreaDesk;
import dev.tuntas.audit.Audit;
import dev.tuntas.audit.AuditEntry;
import dev.tuntas.orders.OrderDesk;
import dev.tuntas.orders.OrderView;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.settings.Here;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;

/// The customer's page of an order. Who has the link may see it, and cancel: the link cannot be
/// guessed. All of it works without JavaScript.
@Controller
@Conditional(Here.Web.class)
class OrderPageController {

  private static final String CUSTOMER = "customer";

  private final OrderDesk desk;
  private final OrderStream stream;
  private final AreaDesk areas;
  private final Audit audit;
  private final InstantSource clock;
  private final byte[] script;

  OrderPageController(
      OrderDesk desk, OrderStream stream, AreaDesk areas, Audit audit, InstantSource clock)
      throws IOException {
    this.audit = audit;
    this.desk = desk;
    this.stream = stream;
    this.areas = areas;
    this.clock = clock;
    this.script = new ClassPathResource("pages/order.js").getContentAsByteArray();
  }

  @GetMapping("/o/{token}")
  String page(
      @PathVariable String token,
      @RequestParam(name = "cancel", required = false) @Nullable String asked,
      @RequestHeader(name = "Accept-Language", required = false) @Nullable String language,
      Model model) {
    var view = find(token);
    var words = PageWords.preferred(language);
    model.addAttribute("words", words);
    model.addAttribute("text", PageText.of(view, words));
    var search = Search.of(view, areas, clock.instant());
    model.addAttribute("search", search);
    if (search != null && search.nextAt() != null) {
      model.addAttribute("nextAt", words.time(search.nextAt()));
    }
    model.addAttribute("total", view.order().total().text());
    model.addAttribute("id", view.id());
    model.addAttribute("version", view.version());
    model.addAttribute("live", !view.standing().isFinal());
    model.addAttribute("path", "/o/" + token);
    model.addAttribute("cancellable", CancelForm.isOffered(view));
    model.addAttribute("said", asked == null ? null : words.say(CancelForm.said(view, asked)));
    return "order";
  }

  /// Asks whether it is meant: a link changes nothing.
  @GetMapping("/o/{token}/cancel")
  String ask(
      @PathVariable String token,
      @RequestHeader(name = "Accept-Language", required = false) @Nullable String language,
      Model model) {
    var view = find(token);
    if (!CancelForm.isOffered(view)) return "redirect:/o/" + token + "?cancel=asked";
    var words = PageWords.preferred(language);
    var what = view.order().trip() == null ? "cancel.ask" : "cancel.ask.ride";
    model.addAttribute("words", words);
    model.addAttribute("title", words.say(what + ".title"));
    model.addAttribute("text", words.say(what + ".text"));
    model.addAttribute("total", view.order().total().text());
    model.addAttribute("id", view.id());
    model.addAttribute("path", "/o/" + token);
    model.addAttribute("proof", CancelForm.proof(view));
    return "cancel";
  }

  /// Cancels, once however often it is sent. What came of it, the page itself shows. The form has
  /// no fields: bodies of forms are read nowhere here.
  @PostMapping("/o/{token}/cancel/{proof}")
  ResponseEntity<Void> cancel(
      @PathVariable String token, @PathVariable String proof, HttpServletRequest request)
      throws InterruptedException {
    var view = find(token);
    CancelForm.require(view, proof, request);
    var said = "asked";
    if (CancelForm.isOffered(view)) {
      // Support has the link, too, and nobody knows who used it.
      audit.append(AuditEntry.by(CUSTOMER, "order.cancel", view.id()));
      desk.cancel(view.id(), CUSTOMER);
      said = "done";
    }
    return ResponseEntity.status(303).header("Location", "/o/" + token + "?cancel=" + said).build();
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
