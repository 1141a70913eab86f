package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.Doorbell;
import dev.tuntas.engine.EngineNode;
import dev.tuntas.engine.EngineSettings;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.GroupCommit.Fate;
import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.SagaStore.Put;
import dev.tuntas.engine.Status;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import dev.tuntas.testkit.MemoryStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One run in virtual time: sagas are started, things go wrong for a while (safety must hold at
/// every event), then everything is healed and must come to rest (liveness). The same [Setting]
/// gives the same run, event by event.
final class Simulation<D> {

  private static final long HOURS = Duration.ofHours(6).toMillis();
  private static final long CLIENT_PATIENCE = 2_000;
  private static final long OPERATOR_LOOKS = 5_000;
  private static final long HEARD_WITHIN = 60_000;
  private static final long MOVES_WITHIN = 600_000;
  private static final int PAUSES_MAX = 4;
  private static final long CLOCK_SET_MAX = Duration.ofHours(1).toMillis();

  /// What became of a run.
  record Outcome(int sagas, int done, int undone, long events, long hash, int boundaries) {}

  private final Setting<D> setting;
  private Duration clockSet = Duration.ZERO;
  private final VirtualTime time = new VirtualTime();
  private final Trace trace = new Trace(time);
  private final RandomGenerator random;
  private final MemoryStore truth = new MemoryStore(() -> time.instant().plus(clockSet));
  private final ForwardingStore store;
  private final World<D> world;
  private final SagaDefinition<D> saga;
  private final Checker<D> checker;
  private final Network network;
  private final Harms harms;
  private final StoreTrouble trouble;
  private final Operator operator;
  private final ReferenceCodec codec;
  private final List<SimulatedNode> nodes = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();
  private final Set<String> acknowledged = new HashSet<>();
  private final Map<Long, Long> unheardSince = new HashMap<>();
  private final Map<String, Long> standingSince = new HashMap<>();
  private final Pace pace;
  private final Times times;
  private final long faultsFor;
  private Faults faults;

  Simulation(Setting<D> setting) {
    this.setting = setting;
    this.random = new SplittableRandom(setting.seed());
    this.faults = setting.faults();
    this.pace = setting.steady() ? Pace.steady() : Pace.drawn(random);
    this.store = setting.bugs().around(truth, random);
    this.world = setting.world().create(outside(), random);
    this.saga = world.saga();
    this.times = Times.of(saga);
    this.faultsFor = setting.steady() ? 0 : times.window(setting.length());
    this.codec = new ReferenceCodec(world::isPoison);
    this.checker = new Checker<>(world, truth, trace, time);
    this.network = new Network(time, random, trace, checker, world, faults);
    this.trouble = new StoreTrouble(time, random, trace);
    this.harms =
        setting.script().isEmpty()
            ? Harms.byChance(random, faults)
            : Harms.byScript(setting.script(), random);
    this.operator = new Operator(truth, store, this::put, checker, network, world, trace);
  }

  // What its processes need

  VirtualTime time() {
    return time;
  }

  Trace trace() {
    return trace;
  }

  Network network() {
    return network;
  }

  Pace pace() {
    return pace;
  }

  Bugs bugs() {
    return setting.bugs();
  }

  ForwardingStore storeFor(SimulatedNode node) {
    return bugs().connected(new SimulatedStore(store, node, trouble, checker));
  }

  EngineSetup setup(ForwardingStore forNode, boolean outdated, boolean runs) {
    var setup = EngineSetup.on(forNode, codec).settings(settings()).doorbell(this::rang);
    if (!runs) setup.runsNone();
    world.lanes().forEach(setup::lane);
    return outdated ? setup : setup.define(saga);
  }

  private EngineSettings settings() {
    var kept = Duration.ofMillis(pace.keepEnded());
    return EngineSettings.standard()
        .running(pace.running())
        .retention(new EngineSettings.Retention(kept, kept));
  }

  long stagger(long every) {
    return setting.steady() ? every : every / 2 + random.nextLong(every);
  }

  void restartLater(SimulatedNode node) {
    time.after(setting.steady() ? 1_000 : 100 + random.nextInt(8_000), node::startAgain);
  }

  void publish(Outbox.Entry notice) throws IOException {
    if (happens(Fault.PUBLISH_FAILS)) {
      if (random.nextBoolean()) checker.published(notice);
      throw new IOException("simulated: the broker is away");
    }
    checker.published(notice);
  }

  private boolean happens(Fault fault) {
    return faults.happens(fault, random);
  }

  // The run

  Outcome run() {
    for (int i = 0; i < setting.nodes(); i++) {
      var node = new SimulatedNode(this, harms, random.nextLong(1L << 40));
      nodes.add(node);
      if (i == 0 && setting.nodes() > 1 && pace.upgrade()) node.outdated();
      node.start();
    }
    if (pace.front()) {
      var front = new SimulatedNode(this, harms, random.nextLong(1L << 40));
      nodes.add(front);
      front.runsNone();
      front.start();
    }
    for (int n = 0; n < setting.sagas(); n++) scheduleSaga(n);
    for (var node : nodes) schedulePauses(node);
    setting.pauseAt().forEach((at, span) -> time.after(at, () -> pauseFirst(span)));
    if (!setting.steady()) {
      network.scheduleOutages(faultsFor);
      trouble.schedule(faults, nodes, faultsFor);
      if (happens(Fault.CLOCK_SET)) time.after(random.nextLong(faultsFor), this::setClock);
    }
    long healed = time.millis() + faultsFor;
    while (time.millis() < healed) if (!leap(healed, false)) step();
    heal();
    long end = time.millis() + HOURS + 2 * times.whole();
    while (!isAtRest()) {
      if (time.millis() > end) throw stuck();
      if (!leap(Long.MAX_VALUE, true)) step();
    }
    return checkAtRest();
  }

  private void step() {
    if (!time.step()) throw new Violation("", "nothing is left to happen");
    for (var id : checker.takeTouched()) {
      var wrong = world.wrongNow(id);
      if (wrong != null) throw new Violation(id, wrong);
    }
  }

  private void heal() {
    trace.note("", "faults are over");
    faults = Faults.none();
    network.heal();
    harms.heal();
    trouble.heal();
    for (var node : nodes) {
      node.upgrade();
      node.startAgain();
      node.resume();
    }
    time.after(OPERATOR_LOOKS, this::operatorLooks);
  }

  private void operatorLooks() {
    for (var id : ids) operator.resolve(id);
    operator.revive();
    checkHearing();
    checkMoving();
    if (!isAtRest()) time.dutyAfter(OPERATOR_LOOKS, this::operatorLooks);
  }

  /// When all is well, what is said to a saga is soon heard.
  private void checkHearing() {
    var unheard = new HashMap<Long, Long>();
    for (var item : truth.unapplied()) {
      var row = truth.row(item.sagaId());
      if (row == null) continue;
      long since = unheardSince.getOrDefault(item.pos(), time.millis());
      unheard.put(item.pos(), since);
      if (time.millis() - since > HEARD_WITHIN) {
        throw new Violation(item.sagaId(), "it was told and did not hear: " + item.signal());
      }
    }
    unheardSince.clear();
    unheardSince.putAll(unheard);
  }

  /// When all is well, no saga stands still that runs or whose time has come.
  private void checkMoving() {
    var still = new HashMap<String, Long>();
    for (var row : truth.sagas()) {
      if (row.status() != Status.RUNNING && !isDue(row)) continue;
      var here = row.id() + " " + row.version() + " " + row.owner();
      long since = standingSince.getOrDefault(here, time.millis());
      still.put(here, since);
      if (time.millis() - since > MOVES_WITHIN + 2 * times.call()) {
        var how = row.status() == Status.RUNNING ? "runs" : "is due";
        throw new Violation(row.id(), "it " + how + " and stands still: " + row.progress());
      }
    }
    standingSince.clear();
    standingSince.putAll(still);
  }

  private boolean isDue(SagaRow row) {
    var due = row.dueAt();
    return row.status() == Status.WAITING && due != null && due.isBefore(earliest());
  }

  /// When all wait for a time that lies ahead, nothing is lost by going there at once.
  private boolean leap(long end, boolean healed) {
    long next = Math.min(end, time.nextOther());
    if (!isFarAhead(next)) return false;
    for (var node : nodes) {
      var engine = node.engine();
      if (engine != null && engine.running() > 0) return false;
    }
    if (!isQuiet(healed)) return false;
    var ahead = Duration.between(time.instant(), latest());
    for (var row : truth.sagas()) {
      if (row.status() == Status.RUNNING || healed && row.status() == Status.HELD) return false;
      var due = row.dueAt();
      if (due != null) next = Math.min(next, due.minus(ahead).toEpochMilli());
    }
    if (next == Long.MAX_VALUE || !isFarAhead(next)) return false;
    time.leapTo(next - 1_000);
    for (var node : nodes) node.purgeSoon();
    return true;
  }

  private boolean isFarAhead(long next) {
    return next - time.millis() >= 2_000;
  }

  /// Before all is healed nobody looks after dead letters.
  private boolean isQuiet(boolean healed) {
    var lag = truth.lag();
    return lag.waiting() == 0 && (lag.dead() == 0 || !healed) && truth.unapplied().isEmpty();
  }

  private boolean isAtRest() {
    if (ids.size() < setting.sagas() || !isPublished()) return false;
    for (var id : ids) {
      var row = lastKnown(id);
      if (row == null || !row.status().isEnd()) return false;
    }
    return truth.unapplied().isEmpty() && time.onlyDutiesLeft();
  }

  /// The saga as it is, or as it was before it was purged.
  private @Nullable SagaRow lastKnown(String id) {
    var row = truth.row(id);
    return row == null ? checker.endOf(id) : row;
  }

  private boolean isPublished() {
    var lag = truth.lag();
    return lag.waiting() == 0 && lag.dead() == 0;
  }

  private Violation stuck() {
    for (var id : ids) {
      var row = lastKnown(id);
      if (row == null) return new Violation(id, "it was never stored");
      if (!row.status().isEnd()) {
        return new Violation(id, "it did not come to rest: " + row.status() + " " + row.progress());
      }
    }
    return new Violation("", "notices or signals were left over: " + truth.unapplied());
  }

  private Outcome checkAtRest() {
    int done = 0;
    for (var id : ids) {
      SagaRow row = lastKnown(id);
      if (row == null) throw new Violation(id, "it was acknowledged and is gone");
      if (row.status() == Status.DONE) done += 1;
      checker.atRest(id);
      var wrong = world.wrongAtRest(row);
      if (wrong != null) throw new Violation(id, wrong);
    }
    return new Outcome(
        ids.size(), done, ids.size() - done, trace.events(), trace.hash(), harms.crossed());
  }

  List<String> story(String sagaId) {
    return trace.story(sagaId);
  }

  // Clients

  private void scheduleSaga(int n) {
    var id = "s" + n;
    var data = world.order(n);
    long at = setting.steady() ? 100 + n : random.nextLong(faultsFor / 2 + 1);
    time.after(at, () -> begin(id, data));
    if (happens(Fault.CANCELS)) time.after(at + moment(), () -> operator.cancel(id));
    if (happens(Fault.RULES)) time.after(at + moment(), () -> operator.interfere(id, random));
    for (var said : setting.signals()) {
      time.after(at + said.after(), () -> put(id, said.signal()));
    }
  }

  private long moment() {
    if (random.nextBoolean()) return random.nextInt(300);
    return random.nextLong(random.nextInt(4) == 0 ? 20_000 + times.doubt() : 20_000);
  }

  /// A client starts a saga on some process, and tries again until it hears of it.
  private void begin(String id, D data) {
    if (!ids.contains(id)) ids.add(id);
    if (acknowledged.contains(id)) return;
    time.after(CLIENT_PATIENCE, () -> begin(id, data));
    var up = nodes.stream().filter(SimulatedNode::accepts).toList();
    if (up.isEmpty()) return;
    var node = up.get(random.nextInt(up.size()));
    node.after(
        0,
        () -> {
          var engine = node.engine();
          if (engine == null) return;
          engine.start(saga, id, data, fate -> started(id, fate));
        });
  }

  private void started(String id, Fate fate) {
    trace.note(id, "the client hears: " + fate);
    acknowledged.add(id);
    if (lastKnown(id) == null) throw new Violation(id, "it was acknowledged and is not stored");
  }

  /// A doorbell reaches one of the processes that run sagas, or none, or two.
  private void rang(Doorbell.Reason reason, List<String> sagaIds) {
    if (happens(Fault.SIGNAL_LOST)) return;
    answer(sagaIds);
    if (happens(Fault.SIGNAL_REPEATED)) answer(sagaIds);
  }

  private void answer(List<String> sagaIds) {
    var running = nodes.stream().filter(SimulatedNode::runs).toList();
    var node = running.get(random.nextInt(running.size()));
    node.after(random.nextInt(300), () -> node.answer(sagaIds));
  }

  // Callbacks

  private World.Outside outside() {
    return new World.Outside() {
      @Override
      public void signal(String sagaId, Signal signal, Duration after) {
        Simulation.this.signal(sagaId, signal, after);
      }

      @Override
      public InstantSource clock() {
        return time;
      }
    };
  }

  private void signal(String sagaId, Signal signal, Duration after) {
    if (happens(Fault.SIGNAL_LOST)) return;
    time.after(after.toMillis(), () -> put(sagaId, signal));
    if (happens(Fault.SIGNAL_REPEATED)) {
      time.after(
          after.toMillis() + random.nextLong(60_000 + times.doubt()), () -> put(sagaId, signal));
    }
  }

  private void put(String sagaId, Signal signal) {
    var put = store.put(sagaId, signal, time.instant());
    trace.note(sagaId, "signal " + signal.name() + " " + signal.externalId() + " is " + put);
    if (put == Put.NEW && truth.put(sagaId, signal, time.instant()) == Put.NEW) {
      throw new Violation(sagaId, "a signal was acknowledged and not stored: " + signal);
    }
  }

  // Clocks

  private void setClock() {
    clockSet = Duration.ofMillis(random.nextLong(-CLOCK_SET_MAX, CLOCK_SET_MAX));
    trace.note("", "the store's clock is set by " + clockSet);
  }

  /// What time it is for that process whose clock is ahead of the others'.
  private Instant latest() {
    return clocks().max(Instant::compareTo).orElseGet(time::instant);
  }

  /// What time it is for that process whose clock is behind the others'.
  private Instant earliest() {
    return clocks().min(Instant::compareTo).orElseGet(time::instant);
  }

  private Stream<Instant> clocks() {
    return nodes.stream().map(SimulatedNode::engine).filter(Objects::nonNull).map(EngineNode::now);
  }

  // Pauses

  private void schedulePauses(SimulatedNode node) {
    for (int i = 0; i < PAUSES_MAX && happens(Fault.PAUSE); i++) {
      // Often just long enough to be believed dead, and back while another takes over.
      long span = random.nextBoolean() ? 2_500 + random.nextInt(2_500) : random.nextInt(12_000);
      time.after(random.nextLong(faultsFor + 1), () -> pause(node, span));
    }
  }

  private void pauseFirst(long span) {
    pause(nodes.getFirst(), span);
  }

  private void pause(SimulatedNode node, long span) {
    node.pause();
    time.after(span, node::resume);
  }
}
