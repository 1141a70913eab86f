package dev.tuntas.testkit.simulation;

import java.util.EnumMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/// Which faults there are, and how probable each is. What is not listed does not happen.
record Faults(Map<Fault, Double> probable) {

  static Faults none() {
    return new Faults(Map.of());
  }

  /// Draws which faults exist, about half of them, and how strong they are.
  static Faults swarm(RandomGenerator random) {
    var some = new EnumMap<Fault, Double>(Fault.class);
    for (var fault : Fault.values()) {
      double strength = random.nextDouble() * fault.most;
      if (random.nextBoolean()) some.put(fault, strength);
    }
    return new Faults(some);
  }

  /// Whether it happens this time.
  boolean happens(Fault fault, RandomGenerator random) {
    var probability = probable.get(fault);
    return probability != null && random.nextDouble() < probability;
  }

  /// The same without one of them: for finding a shorter story.
  Faults without(Fault fault) {
    var fewer = new EnumMap<Fault, Double>(Fault.class);
    fewer.putAll(probable);
    fewer.remove(fault);
    return new Faults(fewer);
  }

  @Override
  public String toString() {
    return probable.toString();
  }
}
