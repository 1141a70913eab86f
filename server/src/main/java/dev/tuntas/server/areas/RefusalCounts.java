package dev.tuntas.server.areas;

import dev.tuntas.areas.AreaService;
import java.util.HashMap;
import java.util.Map;

/// How many were turned away by this process since somebody asked last. A refusal writes nothing,
/// so that it stays cheap when there are many.
public final class RefusalCounts {

  private Map<AreaService, Long> counts = new HashMap<>();

  synchronized void add(String area, String service) {
    counts.merge(new AreaService(area, service), 1L, Long::sum);
  }

  synchronized Map<AreaService, Long> drain() {
    var drained = counts;
    counts = new HashMap<>();
    return drained;
  }

  /// Gives back what could not be written.
  synchronized void restore(Map<AreaService, Long> drained) {
    drained.forEach((key, count) -> counts.merge(key, count, Long::sum));
  }
}
