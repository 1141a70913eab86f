package dev.tuntas.bench.scenario;

import dev.tuntas.bench.alerts.AlertRule;
import dev.tuntas.bench.alerts.AlertWatch;
import dev.tuntas.bench.alerts.Samples;
import dev.tuntas.orders.RideMetric;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Looks at the city every 15 seconds, as Prometheus looks at a server: what its metrics say, and
/// whether an alert fires.
final class Watcher {

  static final Duration EVERY = Duration.ofSeconds(15);

  private final Agenda agenda;
  private final City city;
  private final RideTally tally;
  private final Meters meters;
  private final Samples samples = new Samples();
  private final AlertWatch alerts;
  private final Map<String, Curve> waiting = new TreeMap<>();

  Watcher(Agenda agenda, City city, RideTally tally, Meters meters, List<AlertRule> rules) {
    this.agenda = agenda;
    this.city = city;
    this.tally = tally;
    this.meters = meters;
    this.alerts = new AlertWatch(rules, samples);
    agenda.every(EVERY, this::look);
  }

  private void look() {
    long atMs = agenda.elapsed().toMillis();
    city.counted()
        .forEach(
            (area, count) -> {
              meters.record(RideMetric.WAITING, count, area, Crowd.SERVICE);
              meters.record(RideMetric.UTILIZATION, (double) count / city.threshold(), area);
              waiting
                  .computeIfAbsent(area, _ -> new Curve(EVERY.toMillis()))
                  .set(atMs - EVERY.toMillis(), count);
            });
    meters.record(RideMetric.RETRIEVAL_ACTIVE, tally.waitingForJobId());
    meters.record(RideMetric.REFUND_QUEUE, tally.manual());
    double at = atMs / 1_000.0;
    meters.sample(samples, at);
    alerts.look(at);
  }

  /// The alerts that fired, each with when it did first, in seconds.
  Map<String, Double> fired() {
    return alerts.fired();
  }

  Map<String, Curve> waiting() {
    return waiting;
  }
}
