package dev.tuntas.engine;

import dev.tuntas.engine.GroupCommit.Flushed;
import dev.tuntas.engine.Worker.Wake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
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

  private static final Duration TIMEOUTS_EVERY = Duration.ofMillis(20);
  private static final Duration SLOW_DELIVERY = Duration.ofMillis(50);
  private static final long SECOND = 1_000_000_000L;

  /// However much is to be forgotten, the next sweep is not late by more than a minute.
  private static final int PURGES_MAX = 300;

  private static final String SWEEPER = "tuntas-sweeper";
  private static final String RELAY = "tuntas-relay";

  /// One mostly sleeps, the other may have much to tell; no order waits for either.
  private static final Set<String> SLOW = Set.of(SWEEPER, RELAY);

  private static final String TIMER = "tuntas-timer";
  private static final String SETTLER = "tuntas-settler";

  private final EngineSetup setup;
  private final EngineNode.Hands hands;
  private final Awaited awaited;
  private final VirtualCalls calls = new VirtualCalls();
  private final boolean callsWrite;
  private final OutboxRelay relay;
  private final ScheduledExecutorService timer;
  private final ThreadPoolExecutor settler;
  private final Bell writersBell = new Bell();
  private final Bell claimsBell = new Bell();
  private final Bell relayBell = new Bell();
  private final Queue<GroupCommit> leftOver = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Turns turns = new Turns(System::nanoTime);
  private volatile EngineNode node;
  private volatile boolean ending;
  private volatile boolean ended;
  private volatile boolean somebodyDied;
  private long lookedForLost;
  private long deliverNext = System.nanoTime();
  private boolean deliveredSlowly;

  Threads(EngineSetup setup, Awaited awaited) {
    this.setup = setup;
    this.awaited = awaited;
    // Writers side by side would only get smaller batches; and while a virtual thread waits for the
    // disk, others need another core.
    callsWrite =
        setup.runs()
            && setup.sagas().writers() == 1
            && Runtime.getRuntime().availableProcessors() > 1;
    settler =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name(SETTLER).factory(),
            new DiscardPolicy());
    timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name(TIMER).factory());
    hands = new EngineNode.Hands(calls, this::after, System::nanoTime, new Transition(), awaited);
    node = join();
    relay =
        new OutboxRelay(
            setup.outbox(),
            Objects.requireNonNull(setup.publisher()),
            () -> node.now(),
            setup.settings().limits().publishAttempts(),
            setup.listener());
  }

  private EngineNode join() {
    var fresh = new EngineNode(setup, hands);
    fresh.onSubmit(() -> toWrite(fresh.commits()));
    fresh.onNotices(relayBell::ring);
    fresh.settleOn(settler);
    return fresh;
  }

  /// While nothing else is to be written, the thread that makes a saga's calls writes what came of
  /// the last one, or the start: to wake a writer, and that to wake it again, would take longer.
  private void toWrite(GroupCommit commits) {
    // A start that found the old node just before it was replaced.
    if (commits != node.commits() && !leftOver.contains(commits)) leftOver.add(commits);
    if (callsWrite && commits.isOne()) calls.afterwards(() -> writeOwn(commits));
    else writersBell.ring();
  }

  private void writeOwn(GroupCommit commits) {
    try {
      commits.flush();
    } finally {
      if (commits.isLeft()) writersBell.ring();
    }
  }

  private void after(Duration wait, Runnable task) {
    timer.schedule(task, Math.max(0, wait.toNanos()), TimeUnit.NANOSECONDS);
  }

  EngineNode node() {
    return node;
  }

  boolean isEnding() {
    return ending;
  }

  void ringClaims() {
    claimsBell.ring();
  }

  /// How this process fares.
  Vitals vitals() {
    var current = node;
    var commits = current.commits();
    return new Vitals(
        current.sinceBeat(), commits.standsStill(), commits.oldest(), turns.standing());
  }

  void begin() {
    timer.scheduleWithFixedDelay(this::showTurns, 0, 1, TimeUnit.SECONDS);
    for (int i = 0; i < setup.sagas().writers(); i++) repeat("tuntas-writer-" + i, this::write);
    repeat("tuntas-pulse", this::beat);
    if (!setup.runs()) {
      repeat("tuntas-ends", this::lookForEnds);
      return;
    }
    repeat("tuntas-claims", this::claim);
    repeat("tuntas-timeouts", this::expire);
    repeat(RELAY, this::publish);
    repeat(SWEEPER, this::sweep);
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
    var trouble = new Trouble(log, "The thread " + name);
    while (!ended && !Thread.currentThread().isInterrupted()) {
      if (!SLOW.contains(name)) turns.took(name);
      try {
        duty.once();
        trouble.worked();
      } catch (InterruptedException _) {
        return;
      } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError failure) {
        if (ended) return;
        trouble.failed(failure);
        if (failure instanceof StoreException store) setup.listener().storeFailed(name, store);
        if (!rest(REST)) return;
      }
    }
  }

  private void showTurns() {
    try {
      turns.took(TIMER);
      settler.execute(() -> turns.took(SETTLER));
    } catch (RuntimeException | VirtualMachineError failure) {
      log.warn("could not show that timer and settler come around", failure); // and go on
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
    // Each in turn: a start that comes meanwhile puts it back.
    var old = leftOver.poll();
    if (old != null && (old.flush() != Flushed.NOTHING || old.waiting() > 0)) leftOver.add(old);
    switch (node.flush()) {
      case SOME -> {}
      case NOTHING -> writersBell.await(REST);
      case FAILED -> Thread.sleep(REST);
    }
  }

  private void beat() throws InterruptedException {
    var current = node;
    int buried = current.buried();
    current.beat();
    if (current.buried() > buried) {
      somebodyDied = true;
      claimsBell.ring();
    }
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

  /// On a thread of its own: timeouts are kept also while the store hangs.
  private void expire() throws InterruptedException {
    calls.expire();
    // Whoever was to write by itself may have found no processor for it.
    if (callsWrite && node.commits().isLeft()) writersBell.ring();
    Thread.sleep(TIMEOUTS_EVERY);
  }

  private void claim() throws InterruptedException {
    var current = node;
    if (!ending) {
      deliver(current);
      current.claimDue();
      if (somebodyDied || System.nanoTime() - lookedForLost > SECOND) {
        somebodyDied = false;
        lookedForLost = System.nanoTime();
        current.takeOver();
        current.adopt();
        current.claimLate();
      }
    }
    awaited.look();
    // A permit that nobody takes for a tenth of a second is lost.
    var rest = setup.settings().pace().claimEvery();
    claimsBell.await(current.isCrowded() ? rest.dividedBy(2) : rest);
  }

  private void lookForEnds() throws InterruptedException {
    awaited.look();
    claimsBell.await(setup.settings().pace().claimEvery());
  }

  /// However much waits in the inbox for sagas that never come, most of the time is left for
  /// others. While sagas do hear something, half of it is. Once alone it may have waited for the
  /// disk.
  private void deliver(EngineNode current) {
    long begun = System.nanoTime();
    if (begun < deliverNext) return;
    int heard = current.deliver();
    long took = System.nanoTime() - begun;
    boolean slow = took > SLOW_DELIVERY.toNanos();
    if (slow && deliveredSlowly) deliverNext = begun + (heard == 0 ? 10 : 2) * took;
    deliveredSlowly = slow;
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
    for (int i = 0; i < PURGES_MAX && current.purge() > 0; i++) Thread.sleep(REST);
    setup.listener().outboxLag(setup.outbox().lag());
  }

  /// A saga was started in a caller's transaction, which is committed: this node owns it and does
  /// not know it yet, or leaves it to others.
  void joined(String id) {
    if (!setup.runs()) {
      setup.doorbell().ring(Doorbell.Reason.PLACED, List.of(id));
      return;
    }
    var current = node;
    setup
        .sagas()
        .find(id)
        .filter(row -> row.version() == 1 && Objects.equals(row.owner(), current.id()))
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
    ended = true;
    last.stop();
    awaited.close();
    threads.forEach(Thread::interrupt);
    timer.shutdownNow();
    for (var thread : threads) join(thread);
    settler.shutdown();
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
