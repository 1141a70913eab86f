package dev.tuntas.adapters.http;

import static dev.tuntas.adapters.http.Bodies.encoded;
import static dev.tuntas.adapters.http.Bodies.text;

import dev.tuntas.rides.Dispatch;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Failed;
import dev.tuntas.saga.Outcome.Succeeded;
import dev.tuntas.saga.Outcome.Unclear;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The dispatch partner, reached over HTTP. Unlike with our own services, 404 and 401 are its last
/// word: the booking does not exist, or the partner does not know us.
public final class HttpDispatch implements Dispatch {

  private static final String PATH = "/api/bookings";

  /// What the partner says of a booking.
  ///
  /// @param jobId empty while there is none
  private record JobStatus(String jobId, String status, @Nullable String driverId) {}

  private final ServiceClient partner;

  public HttpDispatch(ServiceClient partner) {
    this.partner = partner;
  }

  @Override
  public Outcome<Booking> book(Ride ride, String key) {
    var body =
        Bodies.object()
            .put("order_id", ride.orderId())
            .put("idempotency_key", key)
            .put("customer_id", ride.customerId())
            .put("service_type", ride.serviceType());
    putPlace(body.putObject("pickup_location"), ride.pickup());
    putPlace(body.putObject("dropoff_location"), ride.dropoff());
    return lastWord(
        partner.post(
            PATH,
            key,
            body,
            answer -> Optional.ofNullable(text(answer, "booking_id")).map(Booking::new)));
  }

  private static void putPlace(ObjectNode body, Place place) {
    body.put("latitude", place.latitude()).put("longitude", place.longitude());
  }

  @Override
  public Outcome<Job> job(String bookingId) {
    var told =
        lastWord(
            partner.get(
                "/api/job-status?booking_id=" + encoded(bookingId),
                answer -> status(answer, bookingId)));
    return switch (told) {
      case Succeeded<JobStatus>(var status) -> job(status);
      case Failed<JobStatus>(var failure) -> new Failed<>(failure);
      case Unclear<JobStatus>(var why, var doubt) -> new Unclear<>(why, doubt);
    };
  }

  private static Outcome<Job> job(JobStatus told) {
    if (!told.jobId().isEmpty()) {
      return Outcome.done(new Job(told.jobId(), Status.of(told.status()), told.driverId()));
    }
    return told.status().equalsIgnoreCase("cancelled")
        ? Outcome.declined("booking_cancelled", "The booking was taken back.")
        : Outcome.pending("The partner has not assigned a job yet.");
  }

  private static Optional<JobStatus> status(JsonNode answer, String bookingId) {
    var job = answer.path("job_id");
    boolean fits = isOf(bookingId, answer) && (job.isString() || job.isNull());
    return fits
        ? Optional.of(
            new JobStatus(
                job.asString(""), answer.path("status").asString(""), text(answer, "driver_id")))
        : Optional.empty();
  }

  @Override
  public Outcome<Booking> dispatch(String bookingId, int attempt, String key) {
    return lastWord(
        partner.post(
            PATH + "/" + encoded(bookingId) + "/dispatch",
            key,
            Bodies.object().put("attempt", attempt).put("idempotency_key", key),
            answer ->
                isOf(bookingId, answer) ? Optional.of(new Booking(bookingId)) : Optional.empty()));
  }

  /// Asked by the key of a booking, the partner may answer with its id.
  @Override
  public Outcome<Booking> cancel(String bookingId, String key) {
    return lastWord(
        partner.post(
            PATH + "/" + encoded(bookingId) + "/cancel",
            key,
            Bodies.object().put("idempotency_key", key),
            answer -> {
              var named = text(answer, "booking_id");
              return Optional.of(new Booking(named == null ? bookingId : named));
            }));
  }

  /// Whoever names no booking means the one that was asked for.
  private static boolean isOf(String bookingId, JsonNode answer) {
    var named = text(answer, "booking_id");
    return named == null || named.equals(bookingId);
  }

  private static <T> Outcome<T> lastWord(Outcome<T> outcome) {
    if (!(outcome instanceof Failed<T>(var failure))) return outcome;
    return switch (failure.code()) {
      case Reply.NOT_FOUND ->
          Outcome.declined("booking_unknown", "The partner does not know the booking.");
      case Reply.KEY_REFUSED ->
          Outcome.barred("partner_unauthorized", "The partner refuses our key.");
      default -> outcome;
    };
  }
}
