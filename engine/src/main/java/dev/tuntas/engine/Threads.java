package dev.tuntas.engine;

import dev.tuntas.engine.GroupCommit.Flushed;
import dev.tuntas.engine.Worker.Wake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The engine in real time: the few threads that repeat its duties. Each loop survives a store that
/// is away: it says so, rests, and tries again.
final class Threads {

  private static final Logger log = LoggerFactory.getLogger(Threads.class);
  private static final Duration REST = Duration.ofMillis(200);
  private static final Duration DRAIN_MAX = Duration.ofSeconds(10);
  private static final Duration RELAY_EVERY = Duration.ofMillis(100);

  /// Forgetting what was published is a commit too: it is done for many notices at a time.
  private static final Duration RELAY_PAUSE = Duration.ofMillis(40);

  private static final long SECOND = 1_000_000_000L;

  private final EngineSetup setup;
  private final EngineNode.Hands hands;
  private final Awaited awaited;
  private final VirtualCalls calls = new VirtualCalls();
  private final OutboxRelay relay;
  private final ScheduledExecutorService timer;
  private final Bell writersBell = new Bell();
  private final Bell claimsBell = new Bell();
  private final Bell relayBell = new Bell();
  private final Queue<GroupCommit> leftOver = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile EngineNode node;
  private volatile boolean ending;
  private long lookedForLost;

  Threads(EngineSetup setup, Awaited awaited) {
    this.setup = setup;
    this.awaited = awaited;
    timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("tuntas-timer").factory());
    hands = new EngineNode.Hands(calls, this::after, System::nanoTime, new Transition(), awaited);
    node = join();
    relay =
        new OutboxRelay(
            setup.outbox(),
            setup.publisher(),
            () -> node.now(),
            setup.settings().limits().publishAttempts(),
            setup.listener());
  }

  private EngineNode join() {
    var fresh = new EngineNode(setup, hands);
    fresh.onSubmit(writersBell::ring);
    fresh.onNotices(relayBell::ring);
    return fresh;
  }

  private void after(Duration wait, Runnable task) {
    timer.schedule(task, Math.max(0, wait.toNanos()), TimeUnit.NANOSECONDS);
  }

  EngineNode node() {
    return node;
  }

  void ringClaims() {
    claimsBell.ring();
  }

  void begin() {
    var settings = setup.settings();
    for (int i = 0; i < settings.limits().writers(); i++) repeat("tuntas-writer-" + i, this::write);
    repeat("tuntas-pulse", this::beat);
    repeat("tuntas-claims", this::claim);
    repeat("tuntas-relay", this::publish);
    repeat("tuntas-sweeper", this::sweep);
  }

  @FunctionalInterface
  private interface Duty {
    void once() throws InterruptedException;
  }

  private void repeat(String name, Duty duty) {
    var thread = Thread.ofPlatform().daemon().name(name).unstarted(() -> loop(name, duty));
    threads.add(thread);
    thread.start();
  }

  private void loop(String name, Duty duty) {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        duty.once();
      } catch (InterruptedException _) {
        return;
      } catch (RuntimeException failure) {
        if (ending) return;
        log.warn("{}: {}", name, failure.toString());
        if (failure instanceof StoreException store) setup.listener().storeFailed(name, store);
        if (!rest(REST)) return;
      }
    }
  }

  private static boolean rest(Duration span) {
    try {
      Thread.sleep(span);
      return true;
    } catch (InterruptedException _) {
      return false;
    }
  }

  // The duties

  private void write() throws InterruptedException {
    var old = leftOver.peek();
    if (old != null && old.flush() == Flushed.NOTHING && old.waiting() == 0) leftOver.remove(old);
    switch (node.flush()) {
      case SOME -> {}
      case NOTHING -> writersBell.await(REST);
      case FAILED -> Thread.sleep(REST);
    }
  }

  private void beat() throws InterruptedException {
    var current = node;
    current.beat();
    if (current.isDead() && !ending) revive(current);
    Thread.sleep(setup.settings().beats().every());
  }

  /// Others took this process for dead: what it ran is theirs now, and it begins again.
  private void revive(EngineNode old) {
    log.warn("node {} was declared dead by others and joins anew", old.id());
    var fresh = join();
    old.stop();
    leftOver.add(old.commits());
    node = fresh;
  }

  private void claim() throws InterruptedException {
    calls.expire();
    var current = node;
    if (!ending) {
      current.deliver();
      current.claimDue();
      if (System.nanoTime() - lookedForLost > SECOND) {
        lookedForLost = System.nanoTime();
        current.takeOver();
        current.adopt();
      }
    }
    awaited.look();
    claimsBell.await(setup.settings().pace().claimEvery());
  }

  private void publish() throws InterruptedException {
    int published = node.isLowest() ? relay.relay() : 0;
    if (published == 0) relayBell.await(RELAY_EVERY);
    else if (published < OutboxRelay.BATCH) Thread.sleep(RELAY_PAUSE);
  }

  private void sweep() throws InterruptedException {
    Thread.sleep(setup.settings().pace().sweepEvery());
    var current = node;
    current.sweep();
    while (current.purge() > 0) Thread.sleep(REST);
    setup.listener().outboxLag(setup.outbox().lag());
  }

  /// Runs a saga that this node owns and does not know yet.
  void adopt(String id) {
    var current = node;
    setup
        .sagas()
        .find(id)
        .filter(row -> row.owner() != null && row.owner() == current.id())
        .ifPresent(row -> current.worker().resume(row, Wake.JOINED, null));
  }

  // The end

  void end() {
    ending = true;
    var last = node;
    last.worker().handBack();
    long until = System.nanoTime() + DRAIN_MAX.toNanos();
    while (last.worker().isBusy() && System.nanoTime() < until)
      if (!rest(Duration.ofMillis(5))) break;
    last.stop();
    threads.forEach(Thread::interrupt);
    timer.shutdownNow();
    for (var thread : threads) join(thread);
    try {
      setup.sagas().leave(last.id());
    } catch (StoreException failure) {
      log.warn("could not leave: {}", failure.toString());
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join(REST);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
