package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.Lane;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import dev.tuntas.testkit.simulation.Boundary.Harm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/// Explores what can go wrong with a saga, in virtual time: crashes at every point, pauses, lost
/// replies, signals in every order, and drawn faults of all kinds. Each method runs at once and
/// throws an [AssertionError] with a story that can be replayed.
///
/// ```java
/// Exploration.of(checkout, n -> new Order(n, 100))
///     .crashEverywhere().crashTwice().pauseEverywhere().seeds(500);
/// ```
public final class Exploration<D> {

  private static final List<Harm> HARMS =
      List.of(Harm.CRASH_BEFORE, Harm.CRASH_AFTER, Harm.REPLY_LOST);
  private static final int NODES = 2;
  private static final int SIGNALS_MAX = 5;
  private static final long PAUSE = 10_000;

  private final World.Factory<D> world;
  private final Bugs bugs;
  private final Tally tally = new Tally();

  private Exploration(World.Factory<D> world, Bugs bugs) {
    this.world = world;
    this.bugs = bugs;
  }

  /// Of a definition whose functions answer as a service would that does its work: the services'
  /// memory, keys and tombstones are added by the model.
  public static <D> Exploration<D> of(SagaDefinition<D> saga, IntFunction<D> orders) {
    return in((outside, random) -> new ModelWorld<>(saga, orders, outside, random));
  }

  /// In a world of the author's own, with ledgers and invariants of its own.
  public static <D> Exploration<D> in(World.Factory<D> world) {
    return new Exploration<>(world, Bugs.NONE);
  }

  /// With limits for a partner that steps name.
  public Exploration<D> lane(Lane.Settings limits) {
    return new Exploration<>(
        (outside, random) -> new WithLanes<>(world.create(outside, random), limits), bugs);
  }

  Exploration<D> with(Bugs planted) {
    return new Exploration<>(world, planted);
  }

  /// What was run so far.
  public Tally tally() {
    return tally;
  }

  /// Dies, or loses the reply, at every write and every call.
  public Exploration<D> crashEverywhere() {
    int boundaries = boundaries();
    for (int at = 0; at < boundaries; at++) {
      for (var harm : HARMS) run(steady().script(Map.of(at, harm)));
    }
    return this;
  }

  /// The same twice in one run, at every pair of places.
  public Exploration<D> crashTwice() {
    int boundaries = boundaries();
    for (int first = 0; first < boundaries; first++) {
      for (var harm : HARMS) {
        int reached = run(steady().script(Map.of(first, harm))).boundaries();
        for (int second = first + 1; second < reached; second++) {
          for (var other : HARMS) run(steady().script(Map.of(first, harm, second, other)));
        }
      }
    }
    return this;
  }

  /// Two processes, one of them standing still for longer than the other believes it alive, from
  /// every moment on.
  public Exploration<D> pauseEverywhere() {
    for (long at = 90; at < 3_000; at += at < 400 ? 7 : 97) run(steady().pauseAt(at, PAUSE));
    return this;
  }

  /// Tells every saga these signals, in every order, early and late.
  public Exploration<D> signalsInEveryOrder(Signal... signals) {
    if (signals.length > SIGNALS_MAX) {
      throw new IllegalArgumentException("at most " + SIGNALS_MAX + " signals can be ordered");
    }
    for (var order : orders(List.of(signals))) {
      for (long gap : new long[] {0, 20, 700, 20_000}) {
        var said = new ArrayList<Setting.Said>();
        for (var signal : order) said.add(new Setting.Said(said.size() * gap, signal));
        run(steady().signals(said));
      }
    }
    return this;
  }

  /// The same, and the order must make no difference: the saga is always done, or always undone.
  public Exploration<D> sameEndInEveryOrder(Signal... signals) {
    int runs = tally.runs();
    int done = tally.done();
    signalsInEveryOrder(signals);
    int nowDone = tally.done() - done;
    if (nowDone != 0 && nowDone != tally.runs() - runs) {
      throw new Violation(
          "",
          "of " + (tally.runs() - runs) + " orders of the same signals, " + nowDone + " were done");
    }
    return this;
  }

  /// Draws faults, knobs and moments from so many seeds, the first ones.
  public Exploration<D> seeds(int count) {
    return seeds(1, count);
  }

  /// The same from a given seed on.
  public Exploration<D> seeds(long first, int count) {
    int doneBefore = tally.done();
    for (long seed = first; seed < first + count; seed++) seed(seed);
    if (tally.done() == doneBefore && count >= 20) {
      throw new AssertionError(count + " seeds, and not one saga was done: nothing was shown");
    }
    return this;
  }

  /// One seed. Every 50th is run twice and must give the same trace.
  public Exploration<D> seed(long seed) {
    var outcome = run(Setting.drawn(world, seed, bugs));
    if (seed % 50 != 0) return this;
    var again = new Simulation<>(Setting.drawn(world, seed, bugs)).run();
    if (again.hash() != outcome.hash()) {
      throw new AssertionError("seed " + seed + " gave two different traces: chance leaks in");
    }
    return this;
  }

  private Setting<D> steady() {
    return Setting.steady(world, NODES, bugs);
  }

  private int boundaries() {
    var undisturbed = run(steady());
    if (undisturbed.done() == 0 || undisturbed.boundaries() == 0) {
      throw new AssertionError("undisturbed, the saga is not done: nothing can be shown");
    }
    return undisturbed.boundaries();
  }

  private Simulation.Outcome run(Setting<D> setting) {
    var simulation = new Simulation<>(setting);
    try {
      var outcome = simulation.run();
      tally.add(outcome);
      return outcome;
    } catch (Violation violation) {
      throw new Shortening<>(setting, violation, simulation).failure();
    }
  }

  private static List<List<Signal>> orders(List<Signal> signals) {
    if (signals.isEmpty()) return List.of(List.of());
    var all = new ArrayList<List<Signal>>();
    for (var first : signals) {
      var rest = new ArrayList<>(signals);
      rest.remove(first);
      for (var order : orders(rest)) {
        var whole = new ArrayList<Signal>();
        whole.add(first);
        whole.addAll(order);
        all.add(whole);
      }
    }
    return all;
  }
}
