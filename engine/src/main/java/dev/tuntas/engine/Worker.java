package dev.tuntas.engine;

import dev.tuntas.engine.Doorbell.Reason;
import dev.tuntas.engine.Event.Abandoned;
import dev.tuntas.engine.Event.Due;
import dev.tuntas.engine.Event.Reported;
import dev.tuntas.engine.Event.Ruled;
import dev.tuntas.engine.Event.Seized;
import dev.tuntas.engine.Event.Told;
import dev.tuntas.engine.GroupCommit.Fate;
import dev.tuntas.engine.Next.Await;
import dev.tuntas.engine.Next.Make;
import dev.tuntas.engine.Next.Nap;
import dev.tuntas.engine.Next.Rest;
import dev.tuntas.engine.Next.Sleep;
import dev.tuntas.engine.Running.Input;
import dev.tuntas.saga.Action;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Carries decisions in and out: hears what happened to a saga, lets the pure function decide,
/// makes the decision durable, and only then acts on it. It owns neither threads nor time: the
/// engine lends it both, and so does the simulator.
final class Worker {

  private static final Logger log = LoggerFactory.getLogger(Worker.class);
  private static final int CRASHES_BACK_OFF = 5;
  private static final int CRASHES_MAX = 20;
  private static final String NO_DATA =
      "it gave null for its data; if nothing has changed, give back the data that came in";

  /// What a worker works with.
  record Means(
      Definitions definitions,
      Lanes lanes,
      Rows rows,
      GroupCommit commits,
      EngineNode.Hands hands,
      Pulse pulse,
      EngineSettings settings,
      EngineListener listener,
      Doorbell doorbell,
      boolean runs) {}

  private final Means means;
  private final Map<String, Running<?>> running = new ConcurrentHashMap<>();
  private final Set<String> unreadable = ConcurrentHashMap.newKeySet();
  private final Set<String> changers = ConcurrentHashMap.newKeySet();
  private final Backlog backlog = new Backlog();
  private final Queue<Runnable> stalled = new ConcurrentLinkedQueue<>();
  private final Map<Lane, Gate> gates = new HashMap<>();
  private volatile boolean stopped;
  private volatile boolean handingBack;

  Worker(Means means) {
    this.means = means;
    var hands = means.hands();
    for (var lane : means.lanes().all()) {
      gates.put(lane, lane.gate(hands.timers(), hands.monotonicNanos()));
    }
  }

  int load() {
    return running.size();
  }

  Backlog backlog() {
    return backlog;
  }

  boolean knows(String id) {
    return running.containsKey(id) || unreadable.contains(id);
  }

  /// Up to so many of those about which nothing was decided here since then.
  List<String> standingSince(Instant then, int limit) {
    return running.values().stream()
        .filter(saga -> isStanding(saga, then))
        .limit(limit)
        .map(saga -> saga.id)
        .toList();
  }

  private static boolean isStanding(Running<?> saga, Instant then) {
    synchronized (saga) {
      return saga.decidedAt.isBefore(then);
    }
  }

  /// From now on no call begins: every saga goes back to the store at its next decision.
  void handBack() {
    handingBack = true;
  }

  /// Whether calls or writes are under way.
  boolean isBusy() {
    return means.commits().waiting() > 0 || running.values().stream().anyMatch(Worker::isBusy);
  }

  /// Between an answer and its write a saga is neither calling nor writing, but locked.
  private static boolean isBusy(Running<?> saga) {
    synchronized (saga) {
      return saga.calling || saga.writing;
    }
  }

  /// Forgets everything: this process is no longer the owner of anything, or is about to end.
  void stop() {
    stopped = true;
    running.values().forEach(this::dismiss);
    running.clear();
    stalled.clear();
  }

  // In

  /// Starts a saga and runs it from memory once it is durable. `started` hears whether it is new.
  <D> void start(SagaDefinition<D> saga, String id, D data, Consumer<Fate> started) {
    requireData(saga, data);
    var now = now();
    var decision = means.hands().decider().start(saga, id, data, now);
    int kind = means.definitions().kindOf(saga);
    var fresh = new Running<>(saga, id, kind, 0, decision.state());
    fresh.writing = true;
    fresh.decidedAt = now;
    boolean room = means.runs() && hasRoom();
    if (!room && means.runs()) backlog.left(now);
    boolean runs = room && running.putIfAbsent(id, fresh) == null;
    try {
      var plan = plan(fresh, decision, now, runs);
      var insert = means.rows().insert(fresh, plan, now);
      means.commits().submit(insert, fate -> started(fresh, plan, fate, runs, started));
    } catch (RuntimeException | Error refused) {
      if (runs) forget(fresh);
      throw refused;
    }
  }

  private static <D> void requireData(SagaDefinition<D> saga, @Nullable D data) {
    if (data != null) return;
    throw new IllegalArgumentException(
        "a saga of " + saga + " cannot start with null; give it a " + saga.dataType().getName());
  }

  /// Nobody overtakes those that were left in the store.
  private boolean hasRoom() {
    return backlog.waiting() == 0 && load() < means.settings().limits().running();
  }

  private <D> void started(
      Running<D> fresh, Plan<D> plan, Fate fate, boolean runs, Consumer<Fate> started) {
    try {
      if (fate == Fate.WRITTEN) means.listener().started(fresh.saga, fresh.id);
      if (runs) settled(fresh, plan, fate);
      else if (fate == Fate.WRITTEN) means.doorbell().ring(Reason.PLACED, List.of(fresh.id));
    } catch (RuntimeException | Error bug) {
      if (runs) forget(fresh);
      throw bug;
    } finally {
      started.accept(fate);
    }
  }

  /// The row of a saga that joins the caller's transaction: owned if this process runs sagas, and
  /// not yet sent.
  <D> Write.Insert joined(SagaDefinition<D> saga, String id, D data) {
    requireData(saga, data);
    var now = now();
    var decision = means.hands().decider().start(saga, id, data, now);
    int kind = means.definitions().kindOf(saga);
    var fresh = new Running<>(saga, id, kind, 0, decision.state());
    var plan =
        means.runs() ? new Plan<>(decision, new Await(), -1) : plan(fresh, decision, now, false);
    return means.rows().insert(fresh, plan, now);
  }

  /// Runs a saga that this node owns in the store.
  void resume(SagaRow row, Wake wake, Lane.@Nullable Permit permit) {
    if (stopped) return;
    resume(means.definitions().of(row.kind()), row, wake, permit);
  }

  /// Why a saga is resumed.
  enum Wake {
    /// It was claimed because its time has come.
    DUE,
    /// It was claimed because its inbox holds something.
    TOLD,
    /// It was taken from a dead process.
    ABANDONED,
    /// It was started in a caller's transaction, which is now committed.
    JOINED,
    /// This process owns it and does not know it: an answer of the store got lost.
    LOST;

    private boolean isFromStore() {
      return this == DUE || this == TOLD || this == ABANDONED;
    }
  }

  private <D> void resume(
      SagaDefinition<D> saga, SagaRow row, Wake wake, Lane.@Nullable Permit permit) {
    Running<D> resumed;
    try {
      resumed = means.rows().read(saga, row);
    } catch (RuntimeException unreadable) {
      if (permit != null) permit.giveBack();
      resumeUnread(saga, row, wake, unreadable);
      return;
    } catch (Error failure) {
      if (permit != null) permit.giveBack();
      throw failure;
    }
    resumed.permit = permit;
    try {
      if (wake == Wake.ABANDONED) resumed.pause = backOff(row.crashes());
      // The inbox speaks first to one that was claimed for it; see told.
      if (wake != Wake.TOLD) resumed.inputs.add(Input.of(firstEvent(saga, row, wake)));
      if (!admit(resumed, wake)) return;
      synchronized (resumed) {
        drain(resumed);
      }
    } catch (RuntimeException | Error bug) {
      forget(resumed);
      throw bug;
    }
  }

  private <D> void resumeUnread(
      SagaDefinition<D> saga, SagaRow row, Wake wake, RuntimeException unreadable) {
    var why = new Failure.Broken(Running.UNREADABLE, unreadable.toString());
    Running<D> unread;
    try {
      unread = means.rows().readWithoutData(saga, row, why);
    } catch (RuntimeException _) {
      // Told again, it stays with this process until a program comes that can read it.
      if (!this.unreadable.add(row.id())) return;
      tellUnreadable(saga, row.id(), row.version(), why, unreadable);
      means.commits().submit(means.rows().unreadable(saga, row, why, now()), _ -> {});
      return;
    }
    if (!unread.isKnownUnreadable()) {
      tellUnreadable(saga, row.id(), row.version(), why, unreadable);
    }
    if (!admit(unread, wake) || wake == Wake.TOLD) return;
    hear(unread, Input.of(new Due<>()));
  }

  private void tellUnreadable(
      SagaDefinition<?> saga, String id, long version, Failure why, RuntimeException unreadable) {
    log.atError()
        .addKeyValue("saga_id", id)
        .setCause(unreadable)
        .log("saga {} cannot be read and is held for a person", id);
    means.listener().stuck(saga, id, version + 1, why);
  }

  /// What the store just handed out replaces what memory still holds; what was only looked up does
  /// not.
  private boolean admit(Running<?> resumed, Wake wake) {
    resumed.decidedAt = now();
    if (!wake.isFromStore()) return running.putIfAbsent(resumed.id, resumed) == null;
    var old = running.put(resumed.id, resumed);
    if (old != null) dismiss(old);
    return true;
  }

  private static <D> Event<D> firstEvent(SagaDefinition<D> saga, SagaRow row, Wake wake) {
    return switch (wake) {
      case DUE, JOINED, TOLD -> new Due<>();
      case LOST -> new Abandoned<>();
      case ABANDONED ->
          row.crashes() < CRASHES_MAX
              ? new Abandoned<>()
              : new Seized<>(
                  new Failure.Broken("CRASH_LOOP", row.crashes() + " crashes in a row of " + saga));
    };
  }

  private static Duration backOff(int crashes) {
    if (crashes < CRASHES_BACK_OFF) return Duration.ZERO;
    return Duration.ofSeconds(1L << Math.min(crashes - CRASHES_BACK_OFF, 6));
  }

  /// Hears an inbox row of a saga that this node owns. False if it does not run here.
  boolean told(InboxItem item) {
    var saga = running.get(item.sagaId());
    if (saga == null) return false;
    tell(saga, item);
    return true;
  }

  private <D> void tell(Running<D> saga, InboxItem item) {
    synchronized (saga) {
      if (!saga.heard.add(item.pos())) return;
      hear(saga, new Input<>(asEvent(item), item.pos(), -1));
    }
  }

  private static <D> Event<D> asEvent(InboxItem item) {
    if (!Ruling.isOne(item.signal())) return new Told<>(item.signal());
    try {
      return new Ruled<>(Ruling.read(item.signal()), -1); // its version is set when it is heard
    } catch (IllegalArgumentException unreadable) {
      return new Told<>(item.signal()); // nobody waits for it, so it is settled as late
    }
  }

  /// Triggers a saga that has stood still: what it waits for may have been lost on the way.
  void retrigger(String id) {
    var saga = running.get(id);
    if (saga != null) retrigger(saga);
  }

  private <D> void retrigger(Running<D> saga) {
    synchronized (saga) {
      if (saga.writing || saga.calling) return;
      boolean lost = saga.state.progress() instanceof Progress.Sent;
      hear(saga, Input.of(lost ? new Abandoned<>() : new Due<>()));
    }
  }

  /// A saga that was claimed for its inbox is looked at once more after all of it was heard.
  void nudge(String id) {
    var saga = running.get(id);
    if (saga != null) hear(saga, Input.of(new Due<>()));
  }

  private <D> void hear(Running<D> saga, Input<D> input) {
    synchronized (saga) {
      if (saga.gone) return;
      saga.inputs.add(input);
      drain(saga);
    }
  }

  /// One that could not go on, whatever was thrown, is forgotten: it is found again as one that
  /// this process owns and does not know.
  private <D> void drain(Running<D> saga) {
    try {
      while (!saga.writing && !saga.gone) {
        var input = saga.inputs.poll();
        if (input == null) return;
        decide(saga, input);
      }
    } catch (RuntimeException | Error bug) {
      forget(saga);
      throw bug;
    }
  }

  // Deciding

  private <D> void decide(Running<D> saga, Input<D> input) {
    if (saga.unreadable != null) {
      decideUnread(saga, input, saga.unreadable);
      return;
    }
    if (input.event() instanceof Reported) {
      if (input.token() != saga.token || !saga.calling) return; // nobody waits for this answer
      saga.calling = false;
    }
    if (input.event() instanceof Reported<D>(Outcome.Succeeded<D>(var data), _) && data == null) {
      hold(saga, input.pos(), new Failure.Broken("UNSTORABLE", NO_DATA));
      return;
    }
    if (input.event() instanceof Reported<D>(var outcome, _)
        && !(outcome instanceof Outcome.Succeeded)) {
      takeBackChanges(saga);
    }
    if (input.event() instanceof Due && saga.calling) return;
    var now = now();
    var event =
        input.event() instanceof Ruled<D>(var ruling, _)
            ? new Ruled<D>(ruling, saga.version)
            : input.event();
    var decision = next(saga, event, now);
    boolean sameCall = saga.calling && decision.state().progress().equals(saga.state.progress());
    if (sameCall) {
      carryOut(saga, new Plan<>(decision, new Await(), input.pos()), now);
      return;
    }
    saga.calling = false;
    var plan = saga.pause.isZero() ? plan(saga, decision, now, true) : paused(saga, decision, now);
    carryOut(saga, new Plan<>(plan.decision(), plan.next(), input.pos()), now);
  }

  /// A step that did not succeed has changed nothing, also if it changed what it was given.
  private <D> void takeBackChanges(Running<D> saga) {
    var stored = means.rows().changedBack(saga);
    if (stored == null) return;
    saga.state = new State<>(saga.state.progress(), saga.state.trail(), stored);
    var step = saga.saga + ", step " + Transition.stepOf(saga.state.progress());
    if (!changers.add(step)) return;
    log.warn("{} changed the data it was given and did not succeed: that is left out", step);
  }

  private <D> void decideUnread(Running<D> saga, Input<D> input, Failure why) {
    var now = now();
    saga.writing = true;
    var decision = Transition.unread(next(saga, new Seized<>(why), now), input.event(), why);
    var write = means.rows().unread(saga, decision, why, input.pos(), now);
    means.commits().submit(write, _ -> forget(saga));
  }

  private <D> Decision<D> next(Running<D> saga, Event<D> event, Instant now) {
    try {
      return means.hands().decider().next(saga.saga, saga.id, saga.state, event, now);
    } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError bug) {
      // The event itself holds the order's data, which no log may show.
      log.atError()
          .addKeyValue("saga_id", saga.id)
          .setCause(bug)
          .log("saga {}: could not decide about {}", saga.id, event.getClass().getSimpleName());
      var why = new Failure.Broken("BUG", "deciding threw " + bug);
      return means.hands().decider().next(saga.saga, saga.id, saga.state, new Seized<>(why), now);
    }
  }

  /// It waits in the store, owned by nobody: a crash meanwhile is not its doing, and must not
  /// count.
  private static <D> Plan<D> paused(Running<D> saga, Decision<D> decision, Instant now) {
    var until = now.plus(saga.pause);
    saga.pause = Duration.ZERO;
    var next =
        switch (decision.next()) {
          case Make make -> new Sleep(until, make.queue());
          case Sleep sleep -> new Sleep(Turn.later(until, sleep.until()), sleep.queue());
          case Nap _, Await _, Rest _ -> decision.next();
        };
    return new Plan<>(decision, next, -1);
  }

  /// With the lane's permit in hand, a call is noted as sent; without, the saga waits in the lane.
  private <D> Plan<D> plan(Running<D> saga, Decision<D> decision, Instant now, boolean runs) {
    if (!(decision.next() instanceof Make make)) {
      returnPermit(saga);
      var next =
          runs && decision.next() instanceof Sleep sleep ? napIfShort(sleep, now) : decision.next();
      return new Plan<>(decision, next, -1);
    }
    if (runs && !handingBack && permitted(saga, make.queue(), now)) {
      return new Plan<>(Transition.send(saga.saga, decision, now), make, -1);
    }
    returnPermit(saga);
    return new Plan<>(decision, new Sleep(now, make.queue()), -1);
  }

  private boolean permitted(Running<?> saga, Next.Queue queue, Instant now) {
    if (Lanes.isOpen(queue.lane())) {
      returnPermit(saga);
      return true;
    }
    var lane = means.lanes().named(queue.lane());
    if (saga.permit != null && saga.permit.lane() == lane) return true;
    returnPermit(saga);
    saga.permit = lane.tryAcquire(queue.rank(), now);
    return saga.permit != null;
  }

  private static void returnPermit(Running<?> saga) {
    if (saga.permit != null) saga.permit.giveBack();
    saga.permit = null;
  }

  // Durable, then out

  private <D> void carryOut(Running<D> saga, Plan<D> plan, Instant now) {
    saga.decidedAt = now;
    if (needsNoWrite(plan)) {
      saga.state = plan.decision().state();
      follow(saga, plan.next());
      return;
    }
    saga.writing = true;
    try {
      means.commits().submit(means.rows().move(saga, plan, now), fate -> settled(saga, plan, fate));
    } catch (Rows.UnstorableData unstorable) {
      hold(saga, plan.pos(), unstorable.why());
    }
  }

  private static boolean needsNoWrite(Plan<?> plan) {
    if (!plan.decision().history().isEmpty() || plan.pos() >= 0) return false;
    return switch (plan.next()) {
      case Make _, Await _, Nap _ -> true;
      case Sleep _, Rest _ -> false;
    };
  }

  private <D> void settled(Running<D> saga, Plan<D> plan, Fate fate) {
    synchronized (saga) {
      saga.writing = false;
      if (saga.gone) return;
      try {
        goOn(saga, plan, fate);
      } catch (RuntimeException | Error bug) {
        forget(saga);
        throw bug;
      }
    }
  }

  private <D> void goOn(Running<D> saga, Plan<D> plan, Fate fate) {
    switch (fate) {
      case WRITTEN -> {
        saga.version += 1;
        var before = saga.state;
        saga.state = plan.decision().state();
        tell(saga, before, plan.decision().history());
        follow(saga, plan.next());
        drain(saga);
      }
      case REFUSED -> {
        forget(saga);
        if (saga.version == 0) return; // the id was known
        log.atInfo()
            .addKeyValue("saga_id", saga.id)
            .log("saga {} was fenced at version {}", saga.id, saga.version);
        means.listener().fenced(saga.id);
      }
      case UNSTORABLE -> {
        if (saga.version == 0) {
          forget(saga);
          return;
        }
        hold(saga, plan.pos(), new Failure.Broken("UNSTORABLE", "the database refused the text"));
      }
    }
  }

  /// What was decided cannot be stored: the saga is put before a person, as it stood before.
  private <D> void hold(Running<D> saga, long pos, Failure why) {
    saga.writing = true;
    means.listener().stuck(saga.saga, saga.id, saga.version + 1, why);
    var seized = next(saga, new Seized<>(why), now());
    var write = means.rows().held(saga, seized.state(), why, pos, now());
    means.commits().submit(write, fate -> held(saga, seized.state(), fate));
  }

  private <D> void held(Running<D> saga, State<D> state, Fate fate) {
    synchronized (saga) {
      forget(saga);
      if (fate != Fate.WRITTEN) return;
      var before = saga.state;
      saga.state = state;
      tell(saga, before, List.of(new HistoryEntry.Held("UNSTORABLE", "")));
      means.listener().rested(saga.saga, saga.id, Status.HELD);
    }
  }

  private <D> void tell(Running<D> saga, State<D> before, List<HistoryEntry> history) {
    means.listener().moved(saga.saga, saga.id, saga.state.progress(), history);
    means.listener().changed(saga.saga, saga.id, before, saga.state);
  }

  private <D> void follow(Running<D> saga, Next next) {
    switch (next) {
      case Make make -> call(saga, make);
      case Await _ -> {}
      case Sleep _ -> forget(saga);
      case Nap nap -> {
        var wait = Duration.between(now(), nap.until());
        means.hands().timers().after(wait, () -> hear(saga, Input.of(new Due<>())));
      }
      case Rest rest -> {
        forget(saga);
        means.listener().rested(saga.saga, saga.id, rest.status());
        if (rest.status().isEnd()) means.hands().ends().ended(saga.id, rest.status());
      }
    }
  }

  /// Short waits stay in memory, but never those for a partner's permit.
  private Next napIfShort(Sleep sleep, Instant now) {
    boolean isShort = !sleep.until().isAfter(now.plus(means.settings().pace().napMax()));
    return isShort && Lanes.isOpen(sleep.queue().lane()) ? new Nap(sleep.until()) : sleep;
  }

  private <D> void call(Running<D> saga, Make make) {
    saga.calling = true;
    callInTurn(saga, make, ++saga.token);
  }

  private <D> void callInTurn(Running<D> saga, Make make, long token) {
    var lane = saga.permit == null ? null : saga.permit.lane();
    var gate = lane == null || !lane.isPaced() ? null : gates.get(lane);
    if (gate == null) callIfStillWanted(saga, make, token);
    else gate.pass(() -> callIfStillWanted(saga, make, token));
  }

  private <D> void callIfStillWanted(Running<D> saga, Make make, long token) {
    synchronized (saga) {
      if (saga.gone || !saga.calling || saga.token != token) return;
      try {
        if (means.pulse().mayCall()) callNow(saga, make, token);
        else stalled.add(() -> callInTurn(saga, make, token));
      } catch (RuntimeException | Error bug) {
        forget(saga);
        throw bug;
      }
    }
  }

  /// Makes the calls that had to wait because this process could not show that it lives. Each has
  /// one turn: what must wait on waits for the next beat, which this thread makes.
  void unstall() {
    for (int turns = stalled.size(); turns > 0; turns--) {
      var call = stalled.poll();
      if (call != null) call.run();
    }
  }

  /// How many calls wait for a beat.
  int stalled() {
    return stalled.size();
  }

  private <D> void callNow(Running<D> saga, Make make, long token) {
    if (isTooOld(saga, make)) {
      returnPermit(saga);
      var notSent = Outcome.<D>unavailableHere("NOT_SENT", "it was decided too long ago");
      hear(saga, new Input<>(new Reported<>(notSent), -1, token));
      return;
    }
    var permit = saga.permit;
    var begun = now();
    saga.state = Transition.calling(saga.saga, saga.state, make.call(), begun);
    means.listener().calling(saga.saga, make.direction(), make.call());
    var action = ifItStillMay(action(saga.saga, make));
    saga.permit = null; // from now on the call gives it back, at the latest when its time is over
    try {
      means
          .hands()
          .calls()
          .make(
              make,
              action,
              saga.state.data(),
              outcome -> reported(saga, make, token, permit, begun, outcome));
    } catch (RuntimeException | Error notMade) {
      saga.permit = permit;
      throw notMade;
    }
  }

  /// A call may have had to wait for its thread, longer than this process was known to live.
  private <D> Action<D> ifItStillMay(Action<D> action) {
    return (data, call) ->
        means.pulse().mayCall()
            ? action.perform(data, call)
            : Outcome.unavailableHere("NOT_SENT", "this process could not show that it lives");
  }

  /// Between the decision and the call the store may have been away. What was true then, deadlines
  /// above all, may not be true now: the step is decided anew.
  private boolean isTooOld(Running<?> saga, Make make) {
    return make.direction() == Next.Direction.DO
        && saga.state.progress() instanceof Progress.Sent sent
        && now().isAfter(sent.at().plus(means.settings().beats().deadAfter()));
  }

  private <D> void reported(
      Running<D> saga,
      Make make,
      long token,
      Lane.@Nullable Permit permit,
      Instant begun,
      Outcome<D> outcome) {
    boolean isOver = false;
    try {
      var now = now();
      boolean fit = means.pulse().mayCall();
      isOver = true;
      boolean away = permit != null && permit.ended(outcome, begun, now, fit);
      var took = Pulse.span(begun, now);
      means.listener().called(saga.saga, make.direction(), make.call(), outcome, took);
      hear(saga, new Input<>(new Reported<>(outcome, away), -1, token));
    } catch (RuntimeException | Error bug) {
      if (permit != null && !isOver) permit.giveBack();
      forgetIfCalling(saga, token);
      throw bug;
    }
  }

  /// An answer that nobody has heard.
  private void forgetIfCalling(Running<?> saga, long token) {
    synchronized (saga) {
      if (saga.calling && saga.token == token) forget(saga);
    }
  }

  private static <D> Action<D> action(SagaDefinition<D> saga, Make make) {
    var step = saga.steps().get(saga.indexOf(make.call().step()));
    var action =
        switch (make.direction()) {
          case DO -> step.action();
          case ASK -> step.asker();
          case UNDO -> step.undo();
        };
    if (action == null) throw new IllegalStateException("nothing to call for " + make);
    return action;
  }

  private void forget(Running<?> saga) {
    dismiss(saga);
    running.remove(saga.id, saga);
  }

  private void dismiss(Running<?> saga) {
    synchronized (saga) {
      saga.gone = true;
      saga.inputs.clear();
      returnPermit(saga);
    }
  }

  private Instant now() {
    return means.pulse().now();
  }
}
