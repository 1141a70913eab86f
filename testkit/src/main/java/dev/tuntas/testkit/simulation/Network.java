package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.Calls;
import dev.tuntas.engine.Next.Direction;
import dev.tuntas.engine.Next.Make;
import dev.tuntas.saga.Action;
import dev.tuntas.saga.Outcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// Carries calls between processes and the world, and loses, delays and repeats them.
final class Network {

  private static final int LATENCY_MAX = 30;

  private final VirtualTime time;
  private final RandomGenerator random;
  private final Trace trace;
  private final Checker<?> checker;
  private final World<?> world;
  private final Map<String, Integer> underWay = new HashMap<>();
  private Faults faults;

  Network(
      VirtualTime time,
      RandomGenerator random,
      Trace trace,
      Checker<?> checker,
      World<?> world,
      Faults faults) {
    this.time = time;
    this.random = random;
    this.trace = trace;
    this.checker = checker;
    this.world = world;
    this.faults = faults;
  }

  void heal() {
    faults = Faults.none();
  }

  /// Whether a request of this saga and step may still arrive.
  boolean isUnderWay(String sagaId, String step) {
    return underWay.getOrDefault(sagaId + " " + step, 0) > 0;
  }

  /// The calls of one process.
  Calls of(SimulatedNode node) {
    return new Calls() {
      @Override
      public <D> void make(Make make, Action<D> action, D data, Consumer<Outcome<D>> report) {
        checker.calling(node.id(), make);
        boolean undoes = make.direction() == Direction.UNDO;
        if (!undoes && world.kills(make.call().sagaId(), make.call().step())) throw new Crash();
        var harm = node.boundary().next(true);
        if (harm == Boundary.Harm.CRASH_BEFORE) throw new Crash();
        new Flight<>(node, make, action, data, report).send(harm);
        if (harm == Boundary.Harm.CRASH_AFTER) throw new Crash();
      }
    };
  }

  private boolean chance(double of) {
    return of > 0 && random.nextDouble() < of;
  }

  private final class Flight<D> {

    private final SimulatedNode node;
    private final Make make;
    private final Action<D> action;
    private final D data;
    private final Consumer<Outcome<D>> report;
    private final String id;
    private final long sentAt = time.millis();
    private boolean answered;

    Flight(SimulatedNode node, Make make, Action<D> action, D data, Consumer<Outcome<D>> report) {
      this.node = node;
      this.make = make;
      this.action = action;
      this.data = data;
      this.report = report;
      this.id = make.call().sagaId();
    }

    void send(Boundary.Harm harm) {
      node.after(make.call().timeout().toMillis(), () -> answer(Outcome.unclear("no answer")));
      boolean mustArrive = harm == Boundary.Harm.CRASH_AFTER || harm == Boundary.Harm.REPLY_LOST;
      if (!mustArrive && chance(faults.unavailable())) {
        reply(Outcome.unavailable("REFUSED", "connection refused"), 1);
        return;
      }
      if (harm == Boundary.Harm.REQUEST_LOST || (!mustArrive && chance(faults.requestLost()))) {
        return;
      }
      boolean replies = harm != Boundary.Harm.REPLY_LOST && !chance(faults.replyLost());
      if (chance(faults.surprise())) {
        // The connection breaks, and the request is on its way all the same.
        reply(Outcome.unclear("connection lost"), 1L + random.nextInt(LATENCY_MAX));
        arriveAfter(1L + random.nextLong(make.call().timeout().toMillis() * 3 / 4), false);
        return;
      }
      arriveAfter(delay(), replies);
      if (chance(faults.duplicated()) && world.honoursKeys(make.call().step()))
        arriveAfter(delay() + random.nextLong(2_000), false);
    }

    /// A request may come later than its timeout only where an undo leaves a tombstone for it.
    private long delay() {
      if (!chance(faults.slow())) return 1L + random.nextInt(LATENCY_MAX);
      long timeout = make.call().timeout().toMillis();
      var saga = world.saga();
      var step = saga.steps().get(saga.indexOf(make.call().step()));
      boolean mayBeLate = step.undo() != null && world.honoursKeys(step.name());
      return random.nextLong(mayBeLate ? timeout * 3 : timeout * 3 / 4) + 1;
    }

    private void arriveAfter(long delay, boolean replies) {
      var name = id + " " + make.call().step();
      underWay.merge(name, 1, Integer::sum);
      time.after(
          delay,
          () -> {
            underWay.merge(name, -1, Integer::sum);
            arrive(replies);
          });
    }

    private void arrive(boolean replies) {
      checker.arriving(make, Duration.ofMillis(time.millis() - sentAt));
      Outcome<D> outcome;
      boolean surprised = chance(faults.surprise());
      try {
        outcome =
            surprised && random.nextBoolean()
                ? Outcome.unclear("a surprise before the effect")
                : action.perform(data, make.call());
        if (surprised) outcome = Outcome.unclear("a surprise");
      } catch (Exception thrown) {
        outcome = Outcome.unclear(thrown.toString());
      }
      trace.note(id, make.direction() + " " + make.call().step() + " arrived: " + outcome);
      checker.arrived(make, world.happened(id, make.call().step()));
      if (replies) reply(outcome, 1L + random.nextInt(LATENCY_MAX));
    }

    private void reply(Outcome<D> outcome, long delay) {
      node.after(delay, () -> answer(outcome));
    }

    private void answer(Outcome<D> outcome) {
      if (answered) return;
      answered = true;
      report.accept(outcome);
    }
  }
}
