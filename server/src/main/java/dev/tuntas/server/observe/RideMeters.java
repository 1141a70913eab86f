package dev.tuntas.server.observe;

import dev.tuntas.areas.Area;
import dev.tuntas.areas.AreaService;
import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.Trouble;
import dev.tuntas.orders.RideJournal;
import dev.tuntas.orders.RideMetric;
import dev.tuntas.orders.RideWatch;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counts what is told of rides. Everything exists with zero from the start; what belongs to an
/// area, as soon as the area is known.
public final class RideMeters implements RideWatch {

  /// So many services of areas have series of their own; each costs about fifty. What is beyond
  /// that is counted as `other`.
  static final int SERVICES_MAX = 500;

  private static final AreaService OTHER = new AreaService(RideJournal.OTHER, RideJournal.OTHER);

  private static final Logger log = LoggerFactory.getLogger(RideMeters.class);

  private final Trouble trouble = new Trouble(log, "Reading the areas for their metrics");

  private record Key(RideMetric metric, List<String> labels) {}

  private final Supplier<Map<String, Area>> areas;
  private final MeterRegistry registry;
  private final Map<Key, Meter> meters = new ConcurrentHashMap<>();
  private volatile Map<String, Area> seen = Map.of();
  private volatile Set<AreaService> known = Set.of();
  private Set<AreaService> registered = Set.of();

  /// @param areas those that are configured now, by id; the same object while nothing changes
  public RideMeters(Supplier<Map<String, Area>> areas, MeterRegistry registry) {
    this.areas = areas;
    this.registry = registry;
    RideMetric.all()
        .filter(it -> it.type() != RideMetric.Type.GAUGE && !it.isPerService())
        .forEach(it -> it.labelValues(null, null).forEach(labels -> meter(it, labels)));
    add(OTHER);
    refresh();
  }

  /// Registers what areas there are now, and forgets those that are gone. While they cannot be
  /// read, those that were stay.
  public synchronized void refresh() {
    look();
    var now = known;
    now.stream().filter(it -> !registered.contains(it)).forEach(this::add);
    registered.stream().filter(it -> !now.contains(it)).forEach(this::remove);
    registered = now;
  }

  /// Looks which areas there are. Quick: whoever tells something of a new area waits for it.
  private void look() {
    try {
      var configured = areas.get();
      trouble.worked();
      if (isSeen(configured)) return;
      known = services(configured);
      seen = configured;
    } catch (StoreException e) {
      trouble.failed(e);
    }
  }

  @SuppressWarnings("ReferenceEquality") // to compare hundreds of areas at each count costs more
  private boolean isSeen(Map<String, Area> configured) {
    return configured == seen;
  }

  private static Set<AreaService> services(Map<String, Area> configured) {
    var services = new HashSet<AreaService>();
    for (var area : configured.values()) {
      for (var service : area.services()) {
        if (services.size() < SERVICES_MAX) services.add(new AreaService(area.id(), service));
      }
    }
    return Set.copyOf(services);
  }

  private void add(AreaService service) {
    keys(service).forEach(key -> meter(key.metric, key.labels));
  }

  private void remove(AreaService service) {
    for (var key : keys(service)) {
      var meter = meters.remove(key);
      if (meter != null) registry.remove(meter);
    }
  }

  private static List<Key> keys(AreaService service) {
    return RideMetric.all()
        .filter(it -> it.type() != RideMetric.Type.GAUGE && it.isPerService())
        .flatMap(
            it ->
                it.labelValues(service.area(), service.service()).stream()
                    .map(labels -> new Key(it, labels)))
        .toList();
  }

  @Override
  public void record(RideMetric metric, double value, String... labels) {
    switch (meter(metric, metric.isPerService() ? bounded(labels) : List.of(labels))) {
      case Counter counter -> counter.increment(value);
      case DistributionSummary summary -> summary.record(value);
      default -> throw new IllegalArgumentException(metric + " is looked up, not told");
    }
  }

  private List<String> bounded(String... labels) {
    var wanted = new AreaService(labels[0], labels[1]);
    if (!known.contains(wanted)) look(); // it may be new
    var own = known.contains(wanted) ? wanted : OTHER;
    var all = labels.clone();
    all[0] = own.area();
    all[1] = own.service();
    return List.of(all);
  }

  private Meter meter(RideMetric metric, List<String> labels) {
    return meters.computeIfAbsent(
        new Key(metric, labels),
        key ->
            switch (metric.type()) {
              case COUNTER -> counter(key);
              case HISTOGRAM -> histogram(key);
              case GAUGE -> throw new IllegalArgumentException(metric + " is looked up, not told");
            });
  }

  private Counter counter(Key key) {
    return Counter.builder(key.metric.metricName())
        .description(key.metric.help())
        .tags(tags(key))
        .register(registry);
  }

  private DistributionSummary histogram(Key key) {
    var buckets = key.metric.buckets().stream().mapToDouble(Double::doubleValue).toArray();
    return DistributionSummary.builder(key.metric.metricName())
        .description(key.metric.help())
        .tags(tags(key))
        .serviceLevelObjectives(buckets)
        .register(registry);
  }

  private static Tags tags(Key key) {
    var tags = Tags.empty();
    for (int i = 0; i < key.labels.size(); i++) {
      tags = tags.and(key.metric.labels().get(i).name(), key.labels.get(i));
    }
    return tags;
  }
}
