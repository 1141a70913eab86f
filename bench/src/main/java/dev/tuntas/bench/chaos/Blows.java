package dev.tuntas.bench.chaos;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// Blows in an order that a seed draws: each kind once first, so that a short run has seen all of
/// them, and then as often as their weights say.
final class Blows {

  private final List<Blow> possible;
  private final RandomGenerator random;
  private final Deque<Blow> first;

  Blows(List<Blow> possible, long seed) {
    if (possible.isEmpty()) throw new IllegalArgumentException("nothing can happen");
    this.possible = List.copyOf(possible);
    this.random = new SplittableRandom(seed);
    var once = new ArrayList<>(possible);
    Collections.shuffle(once, java.util.Random.from(random));
    this.first = new ArrayDeque<>(once);
  }

  Blow next() {
    var fresh = first.poll();
    if (fresh != null) return fresh;
    int drawn = random.nextInt(possible.stream().mapToInt(Blow::weight).sum());
    for (var blow : possible) {
      drawn -= blow.weight();
      if (drawn < 0) return blow;
    }
    throw new AssertionError("weights are positive");
  }
}
