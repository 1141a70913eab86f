package dev.tuntas.orders;

import static dev.tuntas.orders.RideMetric.Type.COUNTER;
import static dev.tuntas.orders.RideMetric.Type.GAUGE;
import static dev.tuntas.orders.RideMetric.Type.HISTOGRAM;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What is measured of rides and areas, under the names that dashboards and alert rules know. It
/// belongs to no metrics library: whoever has one registers these, and whoever has none counts by
/// hand.
public enum RideMetric {
  RETRIEVAL_ATTEMPTS(
      COUNTER, "job_id_retrieval_attempts_total", "Questions to the partner for a job id"),
  RETRIEVAL_SUCCESS(
      COUNTER, "job_id_retrieval_success_total", "Questions that were answered with a job id"),
  RETRIEVAL_FAILED(
      COUNTER,
      "job_id_retrieval_failed_total",
      "Questions that ended in an error; not yet assigned is none",
      new Label("reason", RetrievalError.labels())),
  RETRIEVAL_EXCEEDED(
      COUNTER,
      "job_id_retrieval_max_retries_exceeded_total",
      "Rides that were given up because no job id came in time"),
  RETRIEVAL_ATTEMPTS_MEAN(
      GAUGE,
      "job_id_retrieval_attempts_count",
      "Questions until the partner named a job id, the mean of the last 5 minutes"),
  RETRIEVAL_ATTEMPTS_PER_ORDER(
      HISTOGRAM,
      "job_id_retrieval_attempts_per_order",
      "Questions until the partner named a job id",
      List.of(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0, 30.0, 40.0)),
  RETRIEVAL_DURATION(
      HISTOGRAM,
      "job_id_retrieval_duration_seconds",
      "How long after its acceptance the job id of a ride was known",
      List.of(1.0, 2.0, 3.0, 5.0, 8.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0)),
  RETRIEVAL_ACTIVE(GAUGE, "job_id_retrieval_active", "Booked rides whose job id is not known yet"),
  VIA_CALLBACK(COUNTER, "job_id_via_callback_total", "Job ids that a callback brought"),
  VIA_PROACTIVE(COUNTER, "job_id_via_proactive_total", "Job ids that were asked for"),
  JOB_IDS(COUNTER, "job_id_total", "Job ids that were learned, in either way"),
  STATUS(
      COUNTER,
      "order_status_count",
      "Orders that entered a status",
      new Label("status", Standing.STATUSES)),
  STATUS_UPDATES(
      COUNTER,
      "order_status_update_total",
      "Changes of an order's status that were stored, or that no store would take",
      new Label("result", List.of("success", "failed"))),
  REFUND_QUEUE(GAUGE, "manual_refund_queue", "Tickets that ask for a refund by hand"),

  WAITING(
      GAUGE,
      "dispatcher_waiting_orders_total",
      "Rides that hold a slot and wait for a driver",
      Label.AREA,
      Label.SERVICE),
  THRESHOLD_REACHED(
      COUNTER,
      "dispatcher_threshold_reached_total",
      "Checks and orders that met an area at its threshold",
      Label.AREA,
      Label.SERVICE),
  UTILIZATION(
      GAUGE,
      "dispatcher_threshold_utilization_ratio",
      "How full an area is: the highest of its services, 1 at the threshold",
      Label.AREA),
  ATTEMPTS(
      COUNTER,
      "dispatcher_attempt_total",
      "Attempts to find a driver that ended",
      Label.AREA,
      Label.SERVICE,
      new Label("result", List.of("assigned", "timeout"))),
  ATTEMPT_DURATION(
      HISTOGRAM,
      "dispatcher_attempt_duration_seconds",
      "How long attempts to find a driver lasted",
      List.of(1.0, 5.0, 15.0, 30.0, 60.0, 90.0, 105.0, 120.0, 300.0),
      Label.AREA,
      Label.SERVICE),
  RETRIES(
      COUNTER,
      "dispatcher_retry_count_total",
      "Attempts to find a driver after the first",
      Label.AREA,
      Label.SERVICE),
  LIFETIME(
      HISTOGRAM,
      "dispatcher_order_lifetime_seconds",
      "How long rides waited until a driver was found or they were cancelled",
      List.of(10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1200.0, 1800.0),
      Label.AREA,
      Label.SERVICE,
      new Label("result", List.of("assigned", "cancelled_timeout", "cancelled_user"))),
  CANCELS(
      COUNTER,
      "dispatcher_cancel_total",
      "Rides that were cancelled, or refused because the area was busy",
      Label.AREA,
      Label.SERVICE,
      new Label("reason", List.of("user", "lifetime_timeout", "server_busy"))),
  IN_RETRY(GAUGE, "dispatcher_orders_in_retry", "Rides for which a driver is looked for"),
  ATTEMPTS_PER_ORDER(
      HISTOGRAM,
      "dispatcher_attempts_per_order",
      "Attempts until a driver was found or the ride was over",
      List.of(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 14.0));

  public enum Type {
    /// Grows by what is recorded.
    COUNTER,
    /// Is what was recorded last, or what somebody looks up.
    GAUGE,
    /// Takes in what is recorded.
    HISTOGRAM
  }

  /// @param values all that it may have, or none if they are the areas and services of the day
  public record Label(String name, List<String> values) {
    static final Label AREA = new Label("area_id", List.of());
    static final Label SERVICE = new Label("service_type", List.of());
  }

  private final Type type;
  private final String metricName;
  private final String help;
  private final List<Double> buckets;
  private final List<Label> labels;

  RideMetric(Type type, String metricName, String help, Label... labels) {
    this(type, metricName, help, List.of(), labels);
  }

  RideMetric(Type type, String metricName, String help, List<Double> buckets, Label... labels) {
    this.type = type;
    this.metricName = metricName;
    this.help = help;
    this.buckets = buckets;
    this.labels = List.of(labels);
  }

  public Type type() {
    return type;
  }

  public String metricName() {
    return metricName;
  }

  public String help() {
    return help;
  }

  /// The upper ends of a histogram's buckets, without the last, which has none.
  public List<Double> buckets() {
    return buckets;
  }

  public List<Label> labels() {
    return labels;
  }

  /// Whether there is one for every service of every area.
  public boolean isPerService() {
    return labels.contains(Label.SERVICE);
  }

  public static Stream<RideMetric> all() {
    return Arrays.stream(values());
  }

  /// All that its labels may say, in their order, in this area or in none.
  public List<List<String>> labelValues(@Nullable String area, @Nullable String service) {
    var combinations = List.of(List.<String>of());
    for (var label : labels) {
      combinations = extended(combinations, valuesOf(label, area, service));
    }
    return combinations;
  }

  private static List<String> valuesOf(
      Label label, @Nullable String area, @Nullable String service) {
    if (label.equals(Label.AREA)) return area == null ? List.of() : List.of(area);
    if (label.equals(Label.SERVICE)) return service == null ? List.of() : List.of(service);
    return label.values;
  }

  private static List<List<String>> extended(List<List<String>> all, List<String> values) {
    var longer = new ArrayList<List<String>>();
    for (var one : all) {
      for (var value : values) longer.add(Stream.concat(one.stream(), Stream.of(value)).toList());
    }
    return longer;
  }
}
