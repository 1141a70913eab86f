package dev.tuntas.server.services;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tuntas.rides.Dispatch.Booking;
import dev.tuntas.rides.Dispatch.Place;
import dev.tuntas.rides.Dispatch.Ride;
import dev.tuntas.server.http.Fields;
import dev.tuntas.server.http.JsonBody;
import dev.tuntas.server.http.ListQuery;
import dev.tuntas.server.settings.Here;
import dev.tuntas.simulator.SimulatedDispatch;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Conditional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// The simulated dispatch partner, for other processes: their `partners.bbd.url` ends in
/// `/partner/bbd`.
@RestController
@RequestMapping("/partner/bbd/api")
@Conditional(Here.DispatchSimulator.class)
class DispatchController {

  private static final int ATTEMPTS_MAX = 1_000_000;

  /// @param jobId empty while there is none
  record JobStatus(
      String bookingId,
      String jobId,
      String status,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String driverId) {}

  private final SimulatedDispatch dispatch;

  DispatchController(SimulatedDispatch dispatch) {
    this.dispatch = dispatch;
  }

  @PostMapping("/bookings")
  ResponseEntity<Booking> book(HttpServletRequest request) {
    var asked = Asked.of(request);
    var fields = asked.fields();
    var ride =
        new Ride(
            fields.id("order_id"),
            fields.id("customer_id"),
            fields.id("service_type"),
            place(fields.object("pickup_location")),
            place(fields.object("dropoff_location")));
    var key = asked.requiredKey();
    fields.finish();
    return ResponseEntity.status(201).body(Told.orProblem(dispatch.book(ride, key)));
  }

  private static Place place(Fields fields) {
    return new Place(
        fields.number("latitude", -90, 90, "location_invalid"),
        fields.number("longitude", -180, 180, "location_invalid"));
  }

  @GetMapping("/job-status")
  JobStatus jobStatus(HttpServletRequest request) {
    var parameters = ListQuery.parameters(request);
    var bookingId = parameters.get("booking_id");
    if (bookingId == null || !parameters.keySet().equals(Set.of("booking_id"))) {
      throw ListQuery.invalid("The parameter booking_id must be the id of a booking.");
    }
    var told = Told.orProblem(dispatch.status(bookingId));
    var jobId = Objects.requireNonNullElse(told.jobId(), "");
    return new JobStatus(told.bookingId(), jobId, told.status(), told.driverId());
  }

  @PostMapping("/bookings/{id}/dispatch")
  Booking dispatch(@PathVariable String id, HttpServletRequest request) {
    var asked = Asked.of(request);
    var attempt = asked.fields().wholeNumber("attempt", 1, ATTEMPTS_MAX);
    var key = asked.requiredKey();
    asked.fields().finish();
    return Told.orProblem(dispatch.dispatch(id, (int) attempt, key));
  }

  @PostMapping("/bookings/{id}/cancel")
  Booking cancel(@PathVariable String id, HttpServletRequest request) {
    var asked = new Asked(request, JsonBody.readOrEmpty(request).fields());
    var key = asked.requiredKey();
    asked.fields().finish();
    return Told.orProblem(dispatch.cancel(id, key));
  }
}
