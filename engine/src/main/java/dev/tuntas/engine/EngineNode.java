package dev.tuntas.engine;

import dev.tuntas.engine.GroupCommit.Fate;
import dev.tuntas.engine.GroupCommit.Flushed;
import dev.tuntas.saga.SagaDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// One life of a process in the store: an owner id and everything that is done under it. It does
/// nothing by itself: whoever drives it lends it turns, calls and time. [Engine] does so with
/// threads, the simulator with a virtual clock.
public final class EngineNode {

  /// What a node is lent. `monotonicNanos` never goes back.
  public record Hands(
      Calls calls, Timers timers, LongSupplier monotonicNanos, Decider decider, Ends ends) {}

  /// Hears of sagas that ended on this node.
  public interface Ends {
    void ended(String id, Status status);
  }

  private final int node;
  private final Definitions definitions;
  private final Lanes lanes;
  private final Pulse pulse;
  private final GroupCommit commits;
  private final Worker worker;
  private final Claims claims;
  private final Sweeper sweeper;

  /// Registers the definitions and joins.
  public EngineNode(EngineSetup setup, Hands hands) {
    var store = setup.sagas();
    definitions = Definitions.register(store, setup.definitions());
    lanes =
        new Lanes(
            definitions.lanes(),
            setup.lanes(),
            store.lanes(Lanes.places(definitions.lanes())),
            setup.listener());
    node = store.join(setup.nodeName());
    // Who runs nothing takes no part among those who do: it has a number and counts as gone.
    if (!setup.runs()) store.leave(node);
    pulse = new Pulse(store, node, setup.settings(), hands.monotonicNanos(), setup.runs());
    commits =
        new GroupCommit(store, node, setup.settings().limits().batch(), pulse, setup.listener());
    var means =
        new Worker.Means(
            definitions,
            lanes,
            new Rows(setup.codec(), lanes),
            commits,
            hands,
            pulse,
            setup.settings(),
            setup.listener(),
            setup.doorbell(),
            setup.runs());
    worker = new Worker(means);
    claims = new Claims(store, node, worker, means);
    sweeper = new Sweeper(store, setup.consumers(), worker, means);
  }

  public int id() {
    return node;
  }

  /// The store's time.
  public Instant now() {
    return pulse.now();
  }

  /// How many sagas it has taken on: see [Engine#load].
  int load() {
    return worker.load() + worker.backlog().waiting();
  }

  Definitions definitions() {
    return definitions;
  }

  Lanes lanes() {
    return lanes;
  }

  Worker worker() {
    return worker;
  }

  GroupCommit commits() {
    return commits;
  }

  /// Begins a saga; `started` hears its fate once that is known.
  public <D> void start(SagaDefinition<D> saga, String id, D data, Consumer<Fate> started) {
    worker.start(saga, id, data, started);
  }

  /// To be told when there is something to flush.
  public void onSubmit(Runnable ring) {
    commits.onSubmit(ring);
  }

  /// To be told when there is something to publish.
  void onNotices(Runnable ring) {
    commits.onNotices(ring);
  }

  /// Where large batches are settled.
  void settleOn(Executor executor) {
    commits.settleOn(executor);
  }

  // Duties, each to be repeated for ever

  /// Shows that this process lives, and learns who else does.
  public void beat() {
    pulse.beat();
    if (pulse.isDead()) return;
    lanes.share(pulse.living());
    worker.unstall();
    pulse.tellOffset();
  }

  /// How many others it has declared dead so far: what they ran is there to be taken over.
  int buried() {
    return pulse.buried();
  }

  /// Writes one batch of decisions.
  public Flushed flush() {
    return commits.flush();
  }

  /// How many decisions wait to be written or settled.
  public int unwritten() {
    return commits.waiting();
  }

  /// Claims what is due, as far as the lanes permit.
  public int claimDue() {
    return claims.due();
  }

  /// Claims those whose time is over, whatever they wait for.
  public int claimLate() {
    return claims.late();
  }

  /// Whether more wait for a partner than it takes.
  boolean isCrowded() {
    return lanes.all().stream().anyMatch(Lane::isCrowded);
  }

  /// Delivers what was told to sagas.
  public int deliver() {
    return claims.told();
  }

  /// Claims those of these sagas that are due, as far as there is room for them. Returns how many.
  public int claim(Collection<String> ids) {
    return claims.named(ids);
  }

  /// Takes over what dead processes left.
  public int takeOver() {
    return claims.takeOver();
  }

  /// Adopts what this process owns but does not know.
  public int adopt() {
    return claims.adopt();
  }

  /// Triggers again what has stood still.
  public int sweep() {
    return sweeper.sweep();
  }

  /// Deletes one batch of what ended long ago; more than zero if there may be more.
  public int purge() {
    return sweeper.purge();
  }

  // Life and death

  /// Whether it has shown lately enough that it lives to begin a call.
  public boolean mayCall() {
    return pulse.mayCall();
  }

  /// Others have declared this process dead: it owns nothing any more.
  public boolean isDead() {
    return pulse.isDead();
  }

  /// Since when the store took no beat of this process.
  Duration sinceBeat() {
    return pulse.sinceBeat();
  }

  /// Whether this is the living process with the lowest number, the one that relays notices.
  public boolean isLowest() {
    return pulse.isLowest();
  }

  /// Whether it runs as many sagas as it may.
  boolean isFull() {
    return claims.isFull();
  }

  /// How many sagas it runs from memory.
  public int running() {
    return worker.load();
  }

  /// Forgets everything it runs, as a crash would.
  public void stop() {
    worker.stop();
  }
}
