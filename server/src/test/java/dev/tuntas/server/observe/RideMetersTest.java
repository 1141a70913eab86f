package dev.tuntas.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.areas.Area;
import dev.tuntas.orders.RideMetric;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Series of areas come and go with the areas, and there is a limit to them.
class RideMetersTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private Map<String, Area> areas = Map.of();
  private final RideMeters meters = new RideMeters(() -> this.areas, registry);

  private static Map<String, Area> areas(int number) {
    var areas = new LinkedHashMap<String, Area>();
    for (int i = 0; i < number; i++) {
      var services = new TreeSet<>(List.of("RIDE"));
      areas.put("A" + i, new Area("A" + i, "", null, List.of("qqguw"), services, 0, true));
    }
    return areas;
  }

  private double retries(String area, String service) {
    var counter =
        registry
            .find("dispatcher_retry_count_total")
            .tags("area_id", area, "service_type", service)
            .counter();
    return counter == null ? -1 : counter.count();
  }

  @Test
  void an_area_has_its_series_with_zero_as_soon_as_it_is_known_and_until_it_is_gone() {
    assertThat(retries("A0", "RIDE")).isEqualTo(-1);
    areas = areas(1);
    meters.refresh();
    assertThat(retries("A0", "RIDE")).isZero();
    areas = Map.of();
    meters.refresh();
    assertThat(retries("A0", "RIDE")).isEqualTo(-1);
  }

  @Test
  void what_is_told_of_a_new_area_is_counted_there_at_once() {
    areas = areas(1);
    meters.count(RideMetric.RETRIES, "A0", "RIDE");
    assertThat(retries("A0", "RIDE")).isEqualTo(1);
  }

  @Test
  void an_area_that_nobody_configured_gets_no_series() {
    meters.count(RideMetric.RETRIES, "A0", "RIDE");
    meters.count(RideMetric.RETRIES, "A1", "ANYTHING");
    assertThat(retries("A0", "RIDE")).isEqualTo(-1);
    assertThat(retries("other", "other")).isEqualTo(2);
  }

  @Test
  void areas_beyond_the_limit_share_one() {
    areas = areas(RideMeters.SERVICES_MAX + 10);
    for (var area : areas.keySet()) meters.count(RideMetric.RETRIES, area, "RIDE");
    assertThat(retries("A0", "RIDE")).isEqualTo(1);
    assertThat(retries("other", "other")).isEqualTo(10);
    assertThat(registry.find("dispatcher_retry_count_total").counters())
        .hasSize(RideMeters.SERVICES_MAX + 1);
  }
}
