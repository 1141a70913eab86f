package dev.tuntas.testkit.simulation;

import dev.tuntas.saga.Signal;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// Everything that decides a run.
///
/// @param length how long faults last, from 0 to 1: see [Times#window]
/// @param steady without chance: fixed pace, sagas at once, harm only by script
/// @param script the harm at the n-th boundary
/// @param pauseAt the first process stands still: when, and for how long, in milliseconds
/// @param signals what is said to every saga, and when
record Setting<D>(
    World.Factory<D> world,
    long seed,
    Faults faults,
    int nodes,
    int sagas,
    double length,
    boolean steady,
    Map<Integer, Boundary.Harm> script,
    Map<Long, Long> pauseAt,
    List<Said> signals,
    Bugs bugs) {

  /// A signal, so many milliseconds after its saga was started.
  record Said(long after, Signal signal) {}

  /// A drawn run: which faults exist, how strong, how many processes and sagas.
  static <D> Setting<D> drawn(World.Factory<D> world, long seed, Bugs bugs) {
    var random = new SplittableRandom(seed ^ 0x5DEECE66DL);
    var faults = Faults.swarm(random);
    int nodes = 1 + random.nextInt(3);
    int sagas = 1 + random.nextInt(60);
    double length = random.nextDouble();
    return new Setting<>(
        world, seed, faults, nodes, sagas, length, false, Map.of(), Map.of(), List.of(), bugs);
  }

  /// A run without chance.
  static <D> Setting<D> steady(World.Factory<D> world, int nodes, Bugs bugs) {
    return new Setting<>(
        world, 1, Faults.none(), nodes, 1, 0, true, Map.of(), Map.of(), List.of(), bugs);
  }

  Setting<D> script(Map<Integer, Boundary.Harm> harms) {
    return new Setting<>(
        world, seed, faults, nodes, sagas, length, steady, harms, pauseAt, signals, bugs);
  }

  Setting<D> pauseAt(long at, long span) {
    return new Setting<>(
        world, seed, faults, nodes, sagas, length, steady, script, Map.of(at, span), signals, bugs);
  }

  Setting<D> signals(List<Said> said) {
    return new Setting<>(
        world, seed, faults, nodes, sagas, length, steady, script, pauseAt, said, bugs);
  }

  Setting<D> faults(Faults fewer) {
    return new Setting<>(
        world, seed, fewer, nodes, sagas, length, steady, script, pauseAt, signals, bugs);
  }

  Setting<D> sagas(int fewer) {
    return new Setting<>(
        world, seed, faults, nodes, fewer, length, steady, script, pauseAt, signals, bugs);
  }
}
