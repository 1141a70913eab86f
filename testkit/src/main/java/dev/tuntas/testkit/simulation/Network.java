package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.Calls;
import dev.tuntas.engine.Next.Direction;
import dev.tuntas.engine.Next.Make;
import dev.tuntas.saga.Action;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Step;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Carries calls between processes and the world, and loses, delays and repeats them.
final class Network {

  private static final int LATENCY_MAX = 30;

  private final VirtualTime time;
  private final RandomGenerator random;
  private final Trace trace;
  private final Checker<?> checker;
  private final World<?> world;
  private final Map<String, Integer> underWay = new HashMap<>();
  private final Map<String, Outage> outages = new HashMap<>();
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
    outages.clear();
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
        if (node.lag() == 0) depart(node, make, data, report);
        else node.after(0, () -> departLate(node, make, data, report));
      }
    };
  }

  /// As on a thread that had to wait, which looks once more: the process may have stood still.
  private <D> void departLate(SimulatedNode node, Make make, D data, Consumer<Outcome<D>> report) {
    if (node.mayCall()) depart(node, make, data, report);
    else
      report.accept(Outcome.unavailable("NOT_SENT", "this process could not show that it lives"));
  }

  private <D> void depart(SimulatedNode node, Make make, D data, Consumer<Outcome<D>> report) {
    checker.calling(node.id(), make);
    boolean undoes = make.direction() == Direction.UNDO;
    if (!undoes && world.kills(make.call().sagaId(), make.call().step())) throw new Crash();
    var harm = node.boundary().next(true);
    if (harm == Boundary.Harm.CRASH_BEFORE) throw new Crash();
    new Flight<>(node, make, data, report).send(harm);
    if (harm == Boundary.Harm.CRASH_AFTER) throw new Crash();
  }

  private boolean happens(Fault fault) {
    return faults.happens(fault, random);
  }

  // Outages

  /// A partner is away: what is sent to it is refused, lost, or held up until it is back.
  ///
  /// @param undos whether that goes for undos too
  private record Outage(long until, How how, boolean undos) {
    enum How {
      REFUSES,
      LOSES,
      HOLDS_UP
    }
  }

  /// Each as long as some calls, or as its step's patience: only then does that come to its end.
  void scheduleOutages(long faultsFor) {
    for (var step : world.saga().steps()) {
      if (step.waitsOnly() || !happens(Fault.OUTAGE)) continue;
      long from = random.nextLong(faultsFor / 2 + 1);
      long patience = Math.min(step.giveUp().after().toMillis(), faultsFor);
      long span =
          random.nextLong(random.nextBoolean() ? 4 * step.timeout().toMillis() : 2 * patience);
      var how = Outage.How.values()[random.nextInt(Outage.How.values().length)];
      var outage = new Outage(time.millis() + from + span, how, random.nextBoolean());
      time.after(from, () -> begin(step.name(), outage));
    }
  }

  private void begin(String step, Outage outage) {
    trace.note("", step + " " + outage.how() + " what it is sent");
    outages.put(step, outage);
  }

  private @Nullable Outage outage(Make make) {
    var outage = outages.get(make.call().step());
    if (outage == null || outage.until() <= time.millis()) return null;
    return make.direction() != Direction.UNDO || outage.undos() ? outage : null;
  }

  @SuppressWarnings("unchecked") // a call of this world's saga
  private <D> Step<D> step(Make make) {
    var saga = world.saga();
    return (Step<D>) saga.steps().get(saga.indexOf(make.call().step()));
  }

  private final class Flight<D> {

    private final SimulatedNode node;
    private final Make make;
    private final Step<D> step;
    private final D data;
    private final Consumer<Outcome<D>> report;
    private final String id;
    private final long sentAt = time.millis();
    private boolean answered;

    Flight(SimulatedNode node, Make make, D data, Consumer<Outcome<D>> report) {
      this.node = node;
      this.make = make;
      this.step = step(make);
      this.data = data;
      this.report = report;
      this.id = make.call().sagaId();
    }

    void send(Boundary.Harm harm) {
      node.after(timeout(), () -> answer(Outcome.unclear("no answer")));
      boolean mustArrive = harm == Boundary.Harm.CRASH_AFTER || harm == Boundary.Harm.REPLY_LOST;
      if (!mustArrive && happens(Fault.UNAVAILABLE)) {
        reply(Outcome.unavailable("REFUSED", "connection refused"), 1);
        return;
      }
      if (harm == Boundary.Harm.REQUEST_LOST || (!mustArrive && happens(Fault.REQUEST_LOST))) {
        return;
      }
      var outage = mustArrive ? null : outage(make);
      if (outage != null) {
        meet(outage);
        return;
      }
      boolean replies = harm != Boundary.Harm.REPLY_LOST && !happens(Fault.REPLY_LOST);
      if (happens(Fault.SURPRISE)) {
        // The connection breaks, and the request is on its way all the same.
        reply(Outcome.unclear("connection lost"), 1L + random.nextInt(LATENCY_MAX));
        arriveAfter(1L + random.nextLong(timeout() * 3 / 4), false);
        return;
      }
      arriveAfter(delay(), replies);
      if (happens(Fault.DUPLICATED) && world.honoursKeys(make.call().step()))
        arriveAfter(delay() + random.nextLong(2_000), false);
    }

    private void meet(Outage outage) {
      switch (outage.how()) {
        case REFUSES -> reply(Outcome.unavailable("REFUSED", "connection refused"), 1);
        case LOSES -> {}
        case HOLDS_UP -> {
          long back = outage.until() - time.millis();
          if (mayBeLate()) arriveAfter(back + random.nextLong(timeout()), true);
        }
      }
    }

    private long delay() {
      if (!happens(Fault.SLOW)) return 1L + random.nextInt(LATENCY_MAX);
      return random.nextLong(mayBeLate() ? timeout() * 3 : timeout() * 3 / 4) + 1;
    }

    private long timeout() {
      return make.call().timeout().toMillis();
    }

    /// A request may come later than its timeout only where an undo leaves a tombstone for it.
    private boolean mayBeLate() {
      return step.undo() != null && world.honoursKeys(step.name());
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
      boolean surprised = happens(Fault.SURPRISE);
      try {
        outcome =
            surprised && random.nextBoolean()
                ? Outcome.unclear("a surprise before the effect")
                : service().perform(data, make.call());
        if (surprised) outcome = Outcome.unclear("a surprise");
      } catch (Exception thrown) {
        outcome = Outcome.unclear(thrown.toString());
      }
      trace.note(id, make.direction() + " " + make.call().step() + " arrived: " + outcome);
      checker.arrived(make, world.happened(id, make.call().step()));
      if (replies) reply(outcome, 1L + random.nextInt(LATENCY_MAX));
    }

    /// Not what the engine gave to be called, which looks whether the caller still lives: a request
    /// that is on its way arrives all the same.
    private Action<D> service() {
      var service =
          switch (make.direction()) {
            case DO -> step.action();
            case ASK -> step.asker();
            case UNDO -> step.undo();
          };
      return Objects.requireNonNull(service);
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
