package dev.tuntas.server.observe;

import dev.tuntas.areas.AreaDesk;
import dev.tuntas.areas.AreaDesk.Standing;
import dev.tuntas.areas.AreaLoad;
import dev.tuntas.engine.Trouble;
import dev.tuntas.orders.RideMetric;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How full areas are. Read from the database now and then, so that every process tells the same;
/// while it cannot be read, nothing is told.
public final class AreaGauges {

  private static final Logger log = LoggerFactory.getLogger(AreaGauges.class);

  private final Trouble trouble = new Trouble(log, "Reading how full areas are");
  private static final Duration FRESH = Duration.ofSeconds(5);

  private final InstantSource clock;
  private final Remembered<List<Standing>> standings;
  private final MultiGauge waiting;
  private final MultiGauge utilization;

  public AreaGauges(AreaDesk desk, InstantSource clock, MeterRegistry registry) {
    this.clock = clock;
    this.standings = new Remembered<>(desk::standings, FRESH, System::nanoTime);
    this.waiting = gauge(RideMetric.WAITING, registry);
    this.utilization = gauge(RideMetric.UTILIZATION, registry);
  }

  private static MultiGauge gauge(RideMetric metric, MeterRegistry registry) {
    return MultiGauge.builder(metric.metricName()).description(metric.help()).register(registry);
  }

  /// Looks again, unless that was done just now.
  public synchronized void refresh() {
    var now = read();
    var waits = new ArrayList<Row<?>>();
    var fullest = new TreeMap<String, Double>();
    var at = clock.instant();
    for (var standing : now) {
      var load = standing.load();
      var area = load.area().id();
      waits.add(Row.of(Tags.of("area_id", area, "service_type", load.service()), load.waiting()));
      fullest.merge(area, utilization(load, at), Math::max);
    }
    var ratios = new ArrayList<Row<?>>();
    fullest.forEach((area, ratio) -> ratios.add(Row.of(Tags.of("area_id", area), ratio)));
    waiting.register(waits, true);
    utilization.register(ratios, true);
  }

  private List<Standing> read() {
    try {
      var read = standings.get();
      trouble.worked();
      return read;
    } catch (RuntimeException e) {
      trouble.failed(e);
      return List.of();
    }
  }

  /// Where nobody may wait, it is always full.
  private static double utilization(AreaLoad load, Instant now) {
    long threshold = load.thresholdAt(now);
    return threshold == 0 ? 1 : (double) load.waiting() / threshold;
  }
}
