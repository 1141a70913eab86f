package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.EngineNode;
import dev.tuntas.engine.EngineSettings;
import dev.tuntas.engine.GroupCommit.Flushed;
import dev.tuntas.engine.OutboxRelay;
import dev.tuntas.engine.PublisherAwayException;
import dev.tuntas.engine.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A process in the simulation: it can die, come back, and stand still. Each life is a node of its
/// own.
final class SimulatedNode {

  private static final int RETRY_FLUSH = 200;

  private static final long DEAD_AFTER = EngineSettings.standard().beats().deadAfter().toMillis();

  /// A turn that looks at the clock so often has no end.
  private static final int LOOKS_MAX = 100_000;

  private final Simulation<?> simulation;
  private final VirtualTime time;
  private final Trace trace;
  private final Boundary boundary;
  private final long clockOffset;
  private @Nullable EngineNode engine;
  private @Nullable OutboxRelay relay;
  private boolean paused;
  private long beatAt;
  private boolean outdated;
  private boolean runs = true;
  private boolean flushing;
  private long busyUntil;
  private int looks;
  private final List<Runnable> missed = new ArrayList<>();

  SimulatedNode(Simulation<?> simulation, Boundary boundary, long clockOffset) {
    this.simulation = simulation;
    this.time = simulation.time();
    this.trace = simulation.trace();
    this.boundary = boundary;
    this.clockOffset = clockOffset;
  }

  Boundary boundary() {
    return boundary;
  }

  int id() {
    return engine == null ? -1 : engine.id();
  }

  @Nullable EngineNode engine() {
    return engine;
  }

  boolean mayCall() {
    return engine != null && engine.mayCall();
  }

  /// Whether clients can start sagas on it.
  boolean accepts() {
    return engine != null && !paused && !outdated;
  }

  /// It runs a program that does not know the definition, until it is upgraded.
  void outdated() {
    outdated = true;
  }

  /// It accepts sagas and leaves them to others.
  void runsNone() {
    runs = false;
  }

  boolean runs() {
    return runs;
  }

  /// Somebody rang for these.
  void answer(List<String> sagaIds) {
    if (engine == null) return;
    engine.claim(sagaIds);
    engine.deliver();
  }

  void upgrade() {
    if (!outdated) return;
    outdated = false;
    crash();
  }

  // Life and death

  void start() {
    missed.clear();
    paused = false;
    flushing = false;
    busyUntil = 0;
    looks = 0;
    var store = simulation.storeFor(this);
    var setup = simulation.setup(store, outdated, runs);
    var hands =
        new EngineNode.Hands(
            simulation.network().of(this),
            (wait, task) -> after(wait.toMillis(), task),
            this::nanos,
            simulation.bugs().decider(),
            (id, status) -> trace.note(id, "ended: " + status));
    try {
      engine = new EngineNode(setup, hands);
    } catch (StoreException failure) {
      trace.note("", "a process does not start: " + failure.getMessage());
      simulation.restartLater(this);
      return;
    }
    engine.onSubmit(this::flushSoon);
    relay =
        new OutboxRelay(
            store,
            simulation::publish,
            time,
            simulation.pace().publishAttempts(),
            EngineListener.NONE);
    trace.note("", "node " + engine.id() + " starts");
    duties(engine);
  }

  void startAgain() {
    if (engine == null) start();
  }

  void crash() {
    if (engine == null) return;
    trace.note("", "node " + engine.id() + " dies");
    engine.stop();
    engine = null;
    missed.clear();
  }

  void pause() {
    if (engine == null || paused) return;
    trace.note("", "node " + engine.id() + " stands still");
    paused = true;
  }

  void resume() {
    if (!paused) return;
    trace.note("", "node " + id() + " goes on");
    paused = false;
    var waiting = List.copyOf(missed);
    missed.clear();
    for (var task : waiting) task.run();
  }

  /// After a leap in time.
  void purgeSoon() {
    var life = engine;
    if (life != null) time.dutyAfter(0, () -> turn(life, life::purge));
  }

  // Time

  /// The store has counted its beat.
  void hasBeaten() {
    beatAt = time.millis();
  }

  /// A call of the store takes so long. The process does nothing else meanwhile, while for others
  /// time stands still: they come later.
  void takes(long millis) {
    busyUntil = time.millis() + lag() + millis;
  }

  /// How far its turn has come ahead of the others.
  long lag() {
    return Math.max(0, busyUntil - time.millis());
  }

  private long nanos() {
    if (++looks > LOOKS_MAX) throw endless();
    return (time.millis() + lag()) * 1_000_000 + clockOffset;
  }

  private Violation endless() {
    return new Violation("", "node " + id() + " does something that has no end");
  }

  // Turns

  /// Runs something on this process later, if it still lives then.
  void after(long wait, Runnable task) {
    var life = engine;
    time.after(lag() + wait, () -> turn(life, task));
  }

  private void turn(@Nullable EngineNode life, Runnable task) {
    if (life == null || engine != life) return;
    if (paused) {
      missed.add(() -> turn(life, task));
      return;
    }
    if (lag() > 0) {
      time.after(lag(), () -> turn(life, task));
      return;
    }
    looks = 0;
    try {
      task.run();
    } catch (StoreException failure) {
      trace.note("", "node " + life.id() + ": " + failure.getMessage());
    } catch (Crash _) {
      crash();
      simulation.restartLater(this);
    } catch (RuntimeException bug) {
      throw new Violation("", "node " + life.id() + " threw " + bug);
    }
    if (looks > LOOKS_MAX) throw endless();
    if (engine == life && life.isDead()) {
      if (time.millis() - beatAt < DEAD_AFTER)
        throw new Violation("", "node " + life.id() + " lives and was declared dead");
      trace.note("", "node " + life.id() + " was declared dead");
      crash();
      start();
    }
  }

  private void duties(EngineNode life) {
    var pace = simulation.pace();
    repeat(life, 500, () -> simulation.bugs().beat(life));
    if (!runs) return;
    repeat(
        life,
        pace.claimEvery(),
        () -> {
          life.deliver();
          life.claimDue();
        });
    repeat(
        life,
        1_000,
        () -> {
          life.takeOver();
          life.adopt();
          life.claimLate();
        });
    repeat(life, pace.relayEvery(), this::relay);
    repeat(life, 60_000, life::sweep);
    repeat(life, 10_000, life::purge);
  }

  private void relay() {
    if (engine == null || relay == null || !engine.isLowest()) return;
    try {
      relay.relay();
    } catch (PublisherAwayException away) {
      trace.note("", "node " + id() + ": " + away.getMessage());
    }
  }

  private void repeat(EngineNode life, long every, Runnable duty) {
    time.dutyAfter(
        simulation.stagger(every),
        () -> {
          if (engine != life) return;
          if (!paused && lag() == 0) turn(life, duty);
          if (engine == life) repeat(life, every, duty);
        });
  }

  private void flushSoon() {
    if (flushing) return;
    flushing = true;
    after(simulation.pace().commitTakes(), this::flush);
  }

  private void flush() {
    flushing = false;
    var life = engine;
    if (life == null) return;
    var flushed = life.flush();
    boolean left = flushed != Flushed.NOTHING || life.unwritten() > 0;
    if (!left || flushing) return;
    flushing = true;
    after(flushed == Flushed.SOME ? 1 : RETRY_FLUSH, this::flush);
  }
}
