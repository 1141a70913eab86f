package dev.tuntas.server.services;

import dev.tuntas.inventory.Inventory;
import dev.tuntas.inventory.Inventory.Movement;
import dev.tuntas.inventory.Inventory.Request;
import dev.tuntas.inventory.Inventory.Reservation;
import dev.tuntas.inventory.StockRoom;
import dev.tuntas.money.Money;
import dev.tuntas.saga.Outcome;
import dev.tuntas.server.settings.Here;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Conditional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// The inventory of this process, for others.
@RestController
@RequestMapping("/api/v1/inventory")
@Conditional(Here.Inventory.class)
class InventoryController {

  @FunctionalInterface
  private interface Operation<T> {
    Outcome<T> run(Request request, String key);
  }

  private final Inventory inventory;
  private final StockRoom room;

  InventoryController(@Qualifier("ownInventory") Inventory inventory, StockRoom stockRoom) {
    this.inventory = inventory;
    this.room = stockRoom;
  }

  @PostMapping("/reservations")
  ResponseEntity<Reservation> reserve(HttpServletRequest request) {
    var asked = Asked.of(request);
    var reservation = run(asked, asked.fields().id("booking_id"), inventory::reserve);
    return ResponseEntity.status(201).body(reservation);
  }

  @PostMapping("/reservations/keep")
  Reservation keep(HttpServletRequest request) {
    var asked = Asked.aboutBooking(request);
    return run(asked, booking(asked), inventory::keep);
  }

  @PostMapping("/commit")
  Movement commit(HttpServletRequest request) {
    var asked = Asked.of(request);
    return run(asked, asked.fields().id("order_id"), inventory::commit);
  }

  private static <T> T run(Asked asked, String orderId, Operation<T> operation) {
    var goods = GoodsReader.required(asked.fields());
    var total = total(asked);
    var key = asked.requiredKey();
    asked.fields().finish();
    return Told.orProblem(operation.run(new Request(orderId, goods, total), key));
  }

  /// Without goods it confirms what is held.
  @PostMapping("/reservations/confirm")
  Movement confirm(HttpServletRequest request) {
    var asked = Asked.aboutBooking(request);
    var orderId = booking(asked);
    var named = GoodsReader.optional(asked.fields());
    var total = total(asked);
    var key = asked.key().orElse("confirm-" + orderId);
    asked.fields().finish();
    var goods = named.orElseGet(() -> Told.orProblem(room.goodsOf(orderId)));
    return Told.orProblem(inventory.confirm(new Request(orderId, goods, total), key));
  }

  @PostMapping({"/release", "/release_reservation"})
  Movement release(HttpServletRequest request) {
    var asked = Asked.aboutBooking(request);
    var orderId = booking(asked);
    var key = asked.key().orElse("release-" + orderId);
    asked.fields().finish();
    return Told.orProblem(inventory.release(orderId, key));
  }

  /// The address names the booking; the body may do so too, but not another one.
  private static String booking(Asked asked) {
    var booking = asked.booking();
    var again = asked.fields().optionalId("booking_id");
    if (again.isPresent() && !again.get().equals(booking)) {
      asked.fields().refuse("booking_id", "out_of_range", "The address names another booking.");
    }
    return booking;
  }

  private static @Nullable Money total(Asked asked) {
    return asked.fields().has("total") ? asked.fields().money("total") : null;
  }
}
