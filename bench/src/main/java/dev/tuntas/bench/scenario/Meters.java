package dev.tuntas.bench.scenario;

import dev.tuntas.bench.alerts.Samples;
import dev.tuntas.engine.Breaker;
import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.Status;
import dev.tuntas.orders.AdmissionJournal;
import dev.tuntas.orders.RideMetric;
import dev.tuntas.orders.RideSaga;
import dev.tuntas.orders.RideWatch;
import dev.tuntas.saga.SagaDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The metrics of rides as a server has them, counted by hand.
final class Meters implements RideWatch, EngineListener {

  private record Key(RideMetric metric, List<String> labels) {}

  private static final class Meter {
    double value;
    double sum;
    final long[] buckets;

    Meter(int buckets) {
      this.buckets = new long[buckets];
    }
  }

  private final Map<Key, Meter> meters = new LinkedHashMap<>();
  private final Map<String, Breaker.State> breakers = new TreeMap<>();
  private final AdmissionJournal admission = new AdmissionJournal(this);
  private long undosFailed;
  private long deadLetters;

  /// Everything that can be counted in these areas is there from the start, with 0.
  Meters(Collection<String> areas, String service) {
    for (var metric : RideMetric.values()) {
      for (var area : areas) {
        for (var labels : metric.labelValues(area, service)) meter(metric, labels);
      }
    }
    breakers.put(RideSaga.LANE, Breaker.State.CLOSED);
  }

  @Override
  public void published(Outbox.Entry notice, @Nullable Throwable failure, boolean dead) {
    if (dead) deadLetters++;
  }

  @Override
  public void rested(SagaDefinition<?> saga, String id, Status status) {
    if (status == Status.HELD) undosFailed++;
  }

  AdmissionJournal admission() {
    return admission;
  }

  @Override
  public void record(RideMetric metric, double value, String... labels) {
    var meter = meter(metric, List.of(labels));
    switch (metric.type()) {
      case COUNTER -> meter.value += value;
      case GAUGE -> meter.value = value;
      case HISTOGRAM -> {
        meter.value += 1;
        meter.sum += value;
        var ends = metric.buckets();
        for (int i = 0; i < ends.size(); i++) if (value <= ends.get(i)) meter.buckets[i]++;
      }
    }
  }

  @Override
  public void breaker(String lane, Breaker.State state) {
    breakers.put(lane, state);
  }

  private Meter meter(RideMetric metric, List<String> labels) {
    return meters.computeIfAbsent(new Key(metric, labels), _ -> new Meter(metric.buckets().size()));
  }

  /// Adds what all of them say now.
  void sample(Samples samples, double atSeconds) {
    meters.forEach((key, meter) -> sample(samples, atSeconds, key, meter));
    breakers.forEach(
        (lane, state) ->
            samples.add("breaker_state", Map.of("lane", lane), atSeconds, number(state)));
    samples.add("compensation_total", Map.of("result", "failed"), atSeconds, (double) undosFailed);
    samples.add("dead_letters", Map.of("queue", "outbox"), atSeconds, (double) deadLetters);
  }

  private static void sample(Samples samples, double at, Key key, Meter meter) {
    var name = key.metric.metricName();
    var labels = labels(key);
    if (key.metric.type() != RideMetric.Type.HISTOGRAM) {
      samples.add(name, labels, at, meter.value);
      return;
    }
    var ends = new ArrayList<String>();
    for (var end : key.metric.buckets()) ends.add(Double.toString(end));
    for (int i = 0; i < ends.size(); i++) {
      samples.add(name + "_bucket", with(labels, ends.get(i)), at, (double) meter.buckets[i]);
    }
    samples.add(name + "_bucket", with(labels, "+Inf"), at, meter.value);
    samples.add(name + "_sum", labels, at, meter.sum);
    samples.add(name + "_count", labels, at, meter.value);
  }

  private static double number(Breaker.State state) {
    return switch (state) {
      case CLOSED -> 0;
      case OPEN -> 1;
      case TRIAL -> 2;
    };
  }

  private static Map<String, String> labels(Key key) {
    var labels = new HashMap<String, String>();
    for (int i = 0; i < key.labels.size(); i++) {
      labels.put(key.metric.labels().get(i).name(), key.labels.get(i));
    }
    return labels;
  }

  private static Map<String, String> with(Map<String, String> labels, String end) {
    var more = new HashMap<>(labels);
    more.put("le", end);
    return more;
  }
}
