package dev.tuntas.engine;

import static java.util.Locale.ROOT;

import dev.tuntas.engine.Next.Rank;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// All lanes that this program's definitions name, with their numbers in the store.
public final class Lanes {

  private final Map<String, Lane> byName = new LinkedHashMap<>();

  /// @param numbers those of the [#places]
  Lanes(
      Collection<String> names,
      Map<String, Lane.Settings> settings,
      Map<String, Integer> numbers,
      EngineListener listener) {
    for (var name : names) {
      var known = settings.get(name);
      var limits = known == null ? Lane.Settings.of(name) : known;
      var places = new EnumMap<Rank, Integer>(Rank.class);
      for (var rank : Rank.values()) places.put(rank, numbers.get(place(name, rank)));
      byName.put(name, new Lane(limits, places, listener::breaker));
    }
  }

  /// The lanes as the store knows them: those who wait are kept apart by rank.
  static Set<String> places(Collection<String> names) {
    var places = new TreeSet<String>();
    for (var name : names) for (var rank : Rank.values()) places.add(place(name, rank));
    return places;
  }

  private static String place(String name, Rank rank) {
    return isOpen(name) || rank == Rank.ACT ? name : name + "/" + rank.name().toLowerCase(ROOT);
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
