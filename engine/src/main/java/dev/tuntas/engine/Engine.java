package dev.tuntas.engine;

import dev.tuntas.engine.GroupCommit.Fate;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import java.sql.Connection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs sagas. Three verbs: [#start] one, [#signal] what a partner says, [#rule] what a person or a
/// client decides. All are durable when they return, may be repeated, and may be called anywhere.
public final class Engine implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Engine.class);
  private static final Duration START_WITHIN = Duration.ofSeconds(10);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);
  private static final int WAITING_MAX = 50_000;
  private static final int SIGNAL_MAX = 64 * 1024;

  private final EngineSetup setup;
  private final Threads threads;
  private final Awaited awaited;
  private final AtomicLong rulings = new AtomicLong();

  Engine(EngineSetup setup) {
    this.setup = setup;
    if (setup.definitions().isEmpty()) {
      throw new IllegalArgumentException("an engine needs at least one definition");
    }
    if (setup.publisher() == null) {
      throw new IllegalArgumentException(
          "an engine needs a publisher: publishTo(...), or publishTo(Publisher.NOWHERE)");
    }
    awaited = new Awaited(setup.sagas());
    threads = new Threads(setup, awaited);
    for (var unknown : unknown()) {
      log.warn(
          "{} unfinished sagas are of '{}' version {}, which this program does not know",
          unknown.sagas(),
          unknown.name(),
          unknown.version());
    }
    threads.begin();
  }

  /// Starts a saga, durably. Returns whether the id is new: a known one is left as it is. When the
  /// store gives no answer in time a [StoreException] says so; start it again with the same id.
  public <D> boolean start(SagaDefinition<D> saga, String id, D data) {
    var started = new CompletableFuture<Boolean>();
    start(saga, id, data, fate -> tell(started, id, fate));
    try {
      return started.get(START_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      throw unknown(id, late);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) throw cause;
      throw unknown(id, failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw unknown(id, interrupted);
    }
  }

  private static StoreException unknown(String id, Exception cause) {
    return new StoreException(
        StoreException.Kind.UNKNOWN, "it is not known whether saga " + id + " was started", cause);
  }

  /// Starts a saga; the future is completed when it is durable. What depends on it then runs on a
  /// thread of its own, and holds up nobody.
  public <D> CompletableFuture<Boolean> startAsync(SagaDefinition<D> saga, String id, D data) {
    var started = new CompletableFuture<Boolean>();
    start(saga, id, data, fate -> tellDependents(started, id, fate));
    return started;
  }

  /// A thread is only begun if there are any: to wake it takes as long as half of a step.
  private static void tellDependents(CompletableFuture<Boolean> started, String id, Fate fate) {
    if (started.getNumberOfDependents() == 0) tell(started, id, fate);
    else Thread.ofVirtual().name(id).start(() -> tell(started, id, fate));
  }

  private <D> void start(SagaDefinition<D> saga, String id, D data, Consumer<Fate> told) {
    checkId(id);
    if (threads.isEnding()) throw new IllegalStateException("the engine is closed");
    var node = threads.node();
    int waiting = node.commits().waiting();
    if (waiting > WAITING_MAX) throw new EngineBusyException(waiting);
    node.start(saga, id, data, told);
  }

  private static void tell(CompletableFuture<Boolean> started, String id, Fate fate) {
    if (fate == Fate.UNSTORABLE) {
      started.completeExceptionally(
          new IllegalArgumentException("the database refused the text of saga " + id));
    } else {
      started.complete(fate == Fate.WRITTEN);
    }
  }

  /// Starts a saga inside the transaction of the caller's own connection: both commit, or neither.
  /// After the commit, [Joined#committed] runs it at once; if that is forgotten or lost, it is
  /// found within seconds. Not on SQLite, whose only writer it would block: see [#startWith].
  public <D> Joined startIn(Connection callers, SagaDefinition<D> saga, String id, D data) {
    checkId(id);
    var node = threads.node();
    var row = node.worker().joined(saga, id, data);
    boolean isNew = setup.sagas().insert(callers, node.id(), row);
    return new Joined(isNew, () -> threads.joined(id));
  }

  /// Starts a saga together with the caller's own work, in one transaction of the store. For a
  /// known id the work is rolled back. Returns whether the id is new.
  public <D> boolean startWith(SagaDefinition<D> saga, String id, D data, SagaStore.Work work)
      throws Exception {
    checkId(id);
    var node = threads.node();
    var row = node.worker().joined(saga, id, data);
    boolean isNew = setup.sagas().insertWith(node.id(), row, work);
    if (isNew) threads.joined(id);
    return isNew;
  }

  /// A saga that was started in the caller's transaction.
  public record Joined(boolean isNew, Runnable run) {
    /// To be called after the caller's commit.
    public void committed() {
      if (isNew) run.run();
    }
  }

  /// Hands over what a partner said. The saga may not exist yet, may have ended, may have heard it
  /// before: it is stored, and applied once.
  public SagaStore.Put signal(String sagaId, Signal signal) {
    checkId(sagaId);
    if (Ruling.isOne(signal)) {
      throw new IllegalArgumentException("the source " + signal.source() + " is the engine's own");
    }
    if (signal.body().length() > SIGNAL_MAX) {
      throw new IllegalArgumentException(
          "a signal's body has at most " + SIGNAL_MAX + " characters");
    }
    var put = setup.sagas().put(sagaId, signal, threads.node().now());
    told(sagaId);
    return put;
  }

  /// Hands over what a person or a client decided. Returns the ruling's name, for [#verdict].
  public String rule(String sagaId, Ruling ruling) {
    checkId(sagaId);
    var name = rulingName();
    setup.sagas().put(sagaId, ruling.asSignal(name), threads.node().now());
    told(sagaId);
    return name;
  }

  /// A name for a ruling that the caller puts into the store in a transaction of its own.
  public String rulingName() {
    return "ruling-" + threads.node().id() + "-" + rulings.incrementAndGet();
  }

  /// Something was put into the inbox of a saga, in a transaction of the caller's: whoever runs
  /// sagas looks at once.
  public void told(String sagaId) {
    threads.ringClaims();
    if (!threads.node().worker().knows(sagaId)) {
      setup.doorbell().ring(Doorbell.Reason.TOLD, List.of(sagaId));
    }
  }

  /// Somebody rang for these sagas: those that are due are claimed, and what their inboxes hold is
  /// looked at. Returns whether there was room; without, they are found at a later look.
  public boolean answer(Collection<String> sagaIds) {
    var node = threads.node();
    node.claim(sagaIds);
    threads.ringClaims();
    return !node.isFull();
  }

  /// What became of a ruling: a text that begins with `applied`, `noted` or `refused`. Empty while
  /// the saga has not decided about it.
  public Optional<String> verdict(String ruling, Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    while (true) {
      var verdict = setup.sagas().verdict(Ruling.SIGNAL_NAME, ruling);
      if (verdict.isPresent() || System.nanoTime() >= end) return verdict;
      Thread.sleep(LOOK_AGAIN);
    }
  }

  /// Waits for a saga's end, on whatever node it happens. Empty if it has not ended in time.
  public Optional<Status> await(String id, Duration atMost) throws InterruptedException {
    var end = ended(id);
    try {
      return Optional.of(end.get(atMost.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException _) {
      return Optional.empty();
    } catch (ExecutionException failed) {
      throw new IllegalStateException(failed);
    } finally {
      end.cancel(false);
    }
  }

  /// Completed when the saga ends, on whatever node it happens. Cancel it when nobody waits any
  /// more.
  public CompletableFuture<Status> ended(String id) {
    return awaited.of(id);
  }

  /// How many sagas this process has taken on: those that it runs, and those that it started and
  /// nobody had room to begin, which wait in the store. Who starts sagas should start fewer when it
  /// grows.
  public int load() {
    return threads.node().load();
  }

  /// What time it is for the sagas: whatever is compared with their times asks here.
  public InstantSource clock() {
    return () -> threads.node().now();
  }

  /// How this process fares: whether it can go on, and what it waits for if not.
  public Vitals vitals() {
    return threads.vitals();
  }

  public Optional<SagaView> find(String id) {
    return setup.sagas().find(id).map(this::view);
  }

  private SagaView view(SagaRow row) {
    var definitions = threads.node().definitions();
    boolean known = definitions.knows(row.kind());
    return SagaView.of(row, known ? definitions.of(row.kind()).toString() : null);
  }

  /// What was decided about a saga, when, by which node.
  public List<HistoryLine> history(String id) {
    return setup.sagas().history(id);
  }

  /// Unfinished sagas that this program cannot run, because it lacks their definition.
  public List<SagaStore.Unknown> unknown() {
    return setup.sagas().unknown(threads.node().definitions().kinds());
  }

  /// How a partner's breaker stands in this process; closed for a lane that no step names.
  public Breaker.State breaker(String lane) {
    var node = threads.node();
    return node.lanes().all().stream()
        .filter(it -> it.name().equals(lane))
        .findFirst()
        .map(Lane::breaker)
        .orElse(Breaker.State.CLOSED);
  }

  /// How many sagas this process runs from memory now.
  public int running() {
    return threads.node().running();
  }

  /// Stops: begins no call any more, hands running sagas back to the store, and leaves.
  @Override
  public void close() {
    threads.end();
  }

  private static void checkId(String id) {
    boolean visible = id.chars().allMatch(c -> c > ' ' && c < 127);
    if (id.isEmpty() || id.length() > 200 || !visible) {
      throw new IllegalArgumentException("a saga's id has 1 to 200 visible ASCII characters");
    }
  }
}
