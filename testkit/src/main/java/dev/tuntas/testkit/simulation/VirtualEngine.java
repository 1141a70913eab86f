package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.Calls;
import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.EngineNode;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.GroupCommit.Flushed;
import dev.tuntas.engine.HistoryLine;
import dev.tuntas.engine.Lane;
import dev.tuntas.engine.Next.Make;
import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.OutboxRelay;
import dev.tuntas.engine.Progress;
import dev.tuntas.engine.ProgressCodec;
import dev.tuntas.engine.Ruling;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.SagaStore.Put;
import dev.tuntas.engine.Transition;
import dev.tuntas.saga.Action;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import dev.tuntas.testkit.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;

/// A saga engine in virtual time, for tests that tell a story: thirty minutes pass in no time, and
/// to the millisecond. Calls are answered at once; an exception is doubt.
///
/// ```java
/// var engine = new VirtualEngine(booking);
/// engine.start(booking, "b-1", room);
/// engine.run(ofMinutes(30));
/// assertThat(engine.progress("b-1")).isInstanceOf(Undone.class);
/// ```
public final class VirtualEngine {

  private static final int PUBLISH_ATTEMPTS = 10;

  /// How long what is due waits for its lane before it is tried again.
  private static final long LANE_PAUSE = 100;

  private final VirtualTime time = new VirtualTime();
  private final MemoryStore store = new MemoryStore(time);
  private final ReferenceCodec codec = new ReferenceCodec();
  private final EngineNode node;
  private final OutboxRelay relay;
  private final List<Outbox.Entry> notices = new ArrayList<>();
  private int rulings;

  public VirtualEngine(SagaDefinition<?>... sagas) {
    this(List.of(), sagas);
  }

  /// With limits for the partners that the steps name.
  public VirtualEngine(List<Lane.Settings> lanes, SagaDefinition<?>... sagas) {
    this(EngineListener.NONE, lanes, sagas);
  }

  /// With somebody who hears what it does.
  public VirtualEngine(
      EngineListener listener, List<Lane.Settings> lanes, SagaDefinition<?>... sagas) {
    var setup = EngineSetup.on(store, codec).define(sagas).listener(listener);
    lanes.forEach(setup::lane);
    node =
        new EngineNode(
            setup,
            new EngineNode.Hands(
                new Prompt(),
                (wait, task) -> time.after(wait.toMillis(), task),
                () -> time.millis() * 1_000_000,
                new Transition(),
                (_, _) -> {}));
    relay = new OutboxRelay(store, notices::add, time, PUBLISH_ATTEMPTS, EngineListener.NONE);
  }

  public Instant now() {
    return time.instant();
  }

  /// Starts a saga and lets happen what happens at once.
  public <D> void start(SagaDefinition<D> saga, String id, D data) {
    node.start(saga, id, data, _ -> {});
    settle();
  }

  /// Tells a saga something, whether it exists or not, and lets happen what happens at once.
  public Put tell(String id, Signal signal) {
    var put = store.put(id, signal, time.instant());
    settle();
    return put;
  }

  /// Rules about a saga. Returns the verdict.
  public String rule(String id, Ruling ruling) {
    var signal = ruling.asSignal("ruling-" + rulings++);
    store.put(id, signal, time.instant());
    settle();
    return store.verdict(signal.source(), signal.externalId()).orElse("");
  }

  /// Lets this much time pass, with everything that happens in it, its last moment included.
  public VirtualEngine run(Duration span) {
    long end = time.millis() + span.toMillis();
    for (long next = nextAt(); next <= end; next = nextAt()) {
      time.advanceTo(next);
      settle();
    }
    time.advanceTo(end);
    settle();
    return this;
  }

  private long nextAt() {
    long next = time.nextAt();
    for (var row : store.sagas()) {
      var due = row.dueAt();
      if (due == null) continue;
      next = Math.min(next, due.toEpochMilli());
      if (row.deadline().toEpochMilli() > time.millis()) {
        next = Math.min(next, row.deadline().toEpochMilli());
      }
    }
    return next > time.millis() ? next : time.millis() + LANE_PAUSE;
  }

  /// Everything that can happen now.
  private void settle() {
    boolean moved;
    do {
      node.beat();
      moved = node.flush() == Flushed.SOME;
      while (time.nextAt() <= time.millis()) moved |= time.step();
      moved |= node.deliver() > 0;
      moved |= node.claimDue() > 0;
      moved |= node.claimLate() > 0;
    } while (moved);
    relay.relay();
  }

  // Looking

  public SagaRow row(String id) {
    return store.find(id).orElseThrow(() -> new NoSuchElementException("no saga " + id));
  }

  public Progress progress(String id) {
    return ProgressCodec.decode(row(id).progress()).progress();
  }

  public <D> D data(SagaDefinition<D> saga, String id) {
    return codec.decode(row(id).data(), saga.dataType());
  }

  public List<String> history(String id) {
    return store.history(id).stream().map(HistoryLine::what).toList();
  }

  /// What was published so far.
  public List<Outbox.Entry> notices() {
    return List.copyOf(notices);
  }

  /// Answers on the next turn.
  private final class Prompt implements Calls {
    @Override
    public <D> void make(Make make, Action<D> action, D data, Consumer<Outcome<D>> report) {
      time.after(0, () -> report.accept(perform(make, action, data)));
    }

    private <D> Outcome<D> perform(Make make, Action<D> action, D data) {
      try {
        return action.perform(data, make.call());
      } catch (Exception surprise) {
        return Outcome.unclear(surprise.toString());
      }
    }
  }
}
