package dev.tuntas.engine;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/// All lanes that this program's definitions name, with their numbers in the store.
public final class Lanes {

  private final Map<String, Lane> byName = new LinkedHashMap<>();

  Lanes(
      Map<String, Lane.Settings> settings, Map<String, Integer> numbers, EngineListener listener) {
    numbers.forEach(
        (name, number) -> {
          var known = settings.get(name);
          var limits = known == null ? Lane.Settings.of(name) : known;
          byName.put(name, new Lane(limits, number, listener::breaker));
        });
  }

  Lane named(String name) {
    var lane = byName.get(name);
    if (lane == null) throw new IllegalStateException("no lane is called '" + name + "'");
    return lane;
  }

  /// A step without a partner needs no permit.
  static boolean isOpen(String name) {
    return name.isEmpty();
  }

  Collection<Lane> all() {
    return byName.values();
  }

  void share(int nodes) {
    byName.values().forEach(lane -> lane.share(nodes));
  }
}
