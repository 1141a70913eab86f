package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.Decider;
import dev.tuntas.engine.EngineNode;
import dev.tuntas.engine.Transition;
import dev.tuntas.testkit.MemoryStore;
import java.util.random.RandomGenerator;

/// Mistakes put in the place of the real thing, to see whether the simulation finds them. Without
/// any, the real thing runs.
interface Bugs {

  Bugs NONE = new Bugs() {};

  default Decider decider() {
    return new Transition();
  }

  default ForwardingStore around(MemoryStore store, RandomGenerator random) {
    return new ForwardingStore(store);
  }

  /// The way of one process to the store, with the simulation's faults on it.
  default ForwardingStore connected(ForwardingStore store) {
    return store;
  }

  default void beat(EngineNode node) {
    node.beat();
  }
}
