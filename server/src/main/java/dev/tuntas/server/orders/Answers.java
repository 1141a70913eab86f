package dev.tuntas.server.orders;

import dev.tuntas.engine.StoreException;
import dev.tuntas.orders.OrderBook;
import dev.tuntas.orders.OrderDesk;
import dev.tuntas.orders.OrderDesk.Receipt;
import dev.tuntas.orders.OrderView;
import dev.tuntas.server.access.Caller;
import dev.tuntas.server.http.Problem;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;

/// What is answered about an order. Once a final answer was given for a key, every replay gets it.
public final class Answers {

  private static final int CREATED = 201;
  private static final int ACCEPTED = 202;
  private static final int PAYMENT_REQUIRED = 402;
  private static final int CONFLICT = 409;

  private final OrderDesk desk;
  private final OrderBook book;
  private final OrderJson json;
  private final Links links;

  public Answers(OrderDesk desk, OrderBook book, OrderJson json, Links links) {
    this.desk = desk;
    this.book = book;
    this.json = json;
    this.links = links;
  }

  ResponseEntity<?> placed(
      Receipt.Placed placed, Caller caller, String key, Optional<Duration> wait)
      throws InterruptedException {
    var client = caller.client();
    var headers = new HttpHeaders();
    headers.set("Location", links.self(placed.orderId()));
    if (placed.repeated()) headers.set("Idempotency-Replayed", "true");
    if (wait.isPresent()) headers.set("Preference-Applied", "wait");
    if (placed.repeated()) {
      var before = toldBefore(client, key);
      if (before.isPresent()) return told(view(placed.orderId()), before.get(), caller, headers);
    }
    if (wait.isEmpty()) return accepted(placed, headers);
    var view = desk.await(placed.orderId(), wait.get()).orElseThrow(Answers::gone);
    if (!view.isOver()) return accepted(placed, headers);
    return told(view, book.told(client, key, statusOf(view)), caller, headers);
  }

  private Optional<Integer> toldBefore(String client, String key) {
    return book.known(client, key).map(OrderBook.Known::answer);
  }

  private OrderView view(String orderId) {
    return desk.find(orderId).orElseThrow(Answers::gone);
  }

  private static StoreException gone() {
    return new StoreException(
        StoreException.Kind.NOT_DONE, "an order was there and cannot be read", null);
  }

  private ResponseEntity<?> accepted(Receipt.Placed placed, HttpHeaders headers) {
    var id = placed.orderId();
    var order = placed.order() != null ? placed.order() : view(id).order();
    return ResponseEntity.status(ACCEPTED).headers(headers).body(json.accepted(id, order));
  }

  /// The order may have been cancelled since: it is shown as it is, under the status that was told.
  private ResponseEntity<?> told(OrderView view, int status, Caller caller, HttpHeaders headers) {
    if (status == CREATED) {
      return ResponseEntity.status(CREATED).headers(headers).body(json.of(view, caller));
    }
    var reason = view.standing().reason();
    var code = reason == null ? "order_failed" : reason.code();
    var detail = reason == null ? "The order failed." : reason.message();
    var problem = Problem.of(status, code, detail).with("order_id", view.id());
    for (var name : headers.headerNames()) {
      problem = problem.withHeader(name, String.valueOf(headers.getFirst(name)));
    }
    throw problem.asException();
  }

  private static int statusOf(OrderView view) {
    if (view.standing().wentThrough()) return CREATED;
    var reason = view.standing().reason();
    return reason != null && reason.isPayment() ? PAYMENT_REQUIRED : CONFLICT;
  }

  /// An order as it is; 304 if the client has it already.
  ResponseEntity<?> shown(OrderView view, Caller caller, @Nullable String ifNoneMatch) {
    var body = json.of(view, caller);
    var tag = tag(view, body);
    boolean known = matches(ifNoneMatch, tag);
    var answer = ResponseEntity.status(known ? 304 : 200);
    answer.header("ETag", tag).header("Cache-Control", "private, no-cache");
    return known ? answer.build() : answer.body(body);
  }

  /// What people do for an order changes what is shown of it, but not its version.
  private static String tag(OrderView view, Map<String, Object> body) {
    int byPeople = Objects.hash(body.get("refunded"), body.get("ticket"));
    return "\"" + view.version() + "-" + Integer.toHexString(byPeople) + "\"";
  }

  private static boolean matches(@Nullable String given, String tag) {
    if (given == null) return false;
    for (var one : given.split(",", -1)) {
      var plain = one.strip();
      if (plain.startsWith("W/")) plain = plain.substring(2);
      if (plain.equals(tag) || plain.equals("*")) return true;
    }
    return false;
  }

  ResponseEntity<?> cancelled(OrderDesk.Cancel how, OrderView view, Caller caller) {
    return switch (how) {
      case DONE -> ResponseEntity.ok(json.of(view, caller));
      case UNDER_WAY -> ResponseEntity.accepted().body(json.of(view, caller));
      case TOO_LATE ->
          throw Problem.of(
                  CONFLICT,
                  "order_not_cancellable",
                  "The order is past the point where it can be cancelled.")
              .with("order_id", view.id())
              .asException();
    };
  }
}
