package dev.tuntas.adapters.http;

import static dev.tuntas.adapters.http.Bodies.encoded;
import static dev.tuntas.adapters.http.Bodies.text;

import dev.tuntas.inventory.Inventory;
import dev.tuntas.saga.Outcome;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An inventory that is a service of its own.
public final class HttpInventory implements Inventory {

  private static final String PATH = "/api/v1/inventory";

  private final ServiceClient service;

  public HttpInventory(ServiceClient service) {
    this.service = service;
  }

  @Override
  public Outcome<Reservation> reserve(Request request, String key) {
    return service.post(
        PATH + "/reservations",
        key,
        body("booking_id", request, key),
        answer -> reservation(answer, request, false));
  }

  @Override
  public Outcome<Reservation> keep(Request request, String key) {
    return service.post(
        PATH + "/reservations/keep?bookingId=" + encoded(request.orderId()),
        key,
        body("booking_id", request, key),
        answer -> reservation(answer, request, true));
  }

  @Override
  public Outcome<Movement> confirm(Request request, String key) {
    return service.post(
        PATH + "/reservations/confirm?bookingId=" + encoded(request.orderId()),
        key,
        body("booking_id", request, key),
        answer -> movement(answer, request.orderId(), "confirmed"));
  }

  @Override
  public Outcome<Movement> commit(Request request, String key) {
    return service.post(
        PATH + "/commit",
        key,
        body("order_id", request, key),
        answer -> movement(answer, request.orderId(), "committed"));
  }

  @Override
  public Outcome<Movement> release(String orderId, String key) {
    return service.post(
        PATH + "/release?bookingId=" + encoded(orderId),
        key,
        Bodies.object().put("idempotency_key", key),
        answer -> movement(answer, orderId, "released"));
  }

  private static ObjectNode body(String idName, Request request, String key) {
    var body = Bodies.object().put(idName, request.orderId()).put("idempotency_key", key);
    Bodies.putGoods(body, request.goods());
    if (request.total() != null) Bodies.putMoney(body.putObject("total"), request.total());
    return body;
  }

  /// Goods that are held at another price than the order's are not what was asked for, and what was
  /// to be kept must not expire.
  private static Optional<Reservation> reservation(JsonNode answer, Request request, boolean kept) {
    var id = text(answer, "reservation_id");
    var total = Bodies.money(answer.path("total"));
    var expiry = answer.path("expires_at");
    if (id == null || total.isEmpty()) return Optional.empty();
    if (request.total() != null && !request.total().equals(total.get())) return Optional.empty();
    if (expiry.isNull()) return Optional.of(new Reservation(id, null, total.get()));
    if (kept) return Optional.empty();
    try {
      var expiresAt = Instant.parse(expiry.asString(""));
      return Optional.of(new Reservation(id, expiresAt, total.get()));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  private static Optional<Movement> movement(JsonNode answer, String orderId, String wanted) {
    var result = text(answer, "result");
    boolean fits =
        orderId.equals(text(answer, "order_id"))
            && (wanted.equals(result) || ("already_" + wanted).equals(result));
    return fits && result != null ? Optional.of(new Movement(orderId, result)) : Optional.empty();
  }
}
