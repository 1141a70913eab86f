package dev.tuntas.engine;

import static java.util.Collections.newSetFromMap;
import static java.util.Collections.synchronizedSet;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes the decisions of many sagas in one transaction: whatever arrived during the last commit
/// is the next batch. An entry is answered once its fate is known, and not before: a commit whose
/// fate is unknown is sent again unchanged, and one bad entry is found by halving, so that it fails
/// alone.
public final class GroupCommit {

  private static final Logger log = LoggerFactory.getLogger(GroupCommit.class);

  /// What became of an entry.
  public enum Fate {
    WRITTEN,
    /// Another owner, another version, a known id: nothing was changed.
    REFUSED,
    /// The store cannot hold this text; nothing was changed.
    UNSTORABLE
  }

  private record Entry(Write write, Consumer<Fate> settled) {}

  /// Entries that go together and have waited at least since then; `inDoubt` if they may have been
  /// committed already; `surprises` counts failures that nobody planned for, `blocked` how often
  /// somebody else had a lock on one of them.
  private record Batch(
      List<Entry> entries, Instant since, boolean inDoubt, int surprises, int blocked) {

    static Batch of(List<Entry> entries, Instant since) {
      return new Batch(entries, since, false, 0, 0);
    }

    Batch part(int from, int to) {
      return new Batch(entries.subList(from, to), since, inDoubt, surprises, blocked);
    }

    Batch doubted() {
      return new Batch(entries, since, true, surprises, blocked);
    }

    Batch surprised() {
      return new Batch(entries, since, true, surprises + 1, blocked);
    }

    Batch blockedAgain() {
      return new Batch(entries, since, inDoubt, surprises, blocked + 1);
    }

    boolean isBlocked() {
      return blocked > 0;
    }
  }

  /// A batch that somebody else's lock is in the way of, and when it is tried again.
  private record Blocked(Batch batch, Instant again) implements Comparable<Blocked> {

    @Override
    public int compareTo(Blocked other) {
      int earlier = again.compareTo(other.again);
      return earlier != 0 ? earlier : Integer.compare(batch.blocked, other.batch.blocked);
    }
  }

  private static final int SURPRISES_MAX = 10;

  /// What stays locked is tried less often each time, up to 6.4 s apart.
  private static final Duration BLOCKED_AGAIN = Duration.ofMillis(200);

  private static final int BLOCKED_DOUBLINGS = 5;

  private static final int FAILURES_OF_ALL = 3;

  /// So many entries are worth a commit beside one that is under way. Fewer are left to the writer
  /// that is at it, unless it takes too long.
  private static final int WORTH_A_COMMIT = 48;

  /// A commit that takes longer is not waited for, by the next writer that looks.
  private static final Duration PATIENCE = Duration.ofMillis(50);

  /// So few entries are settled at once: to hand them over would take longer.
  private static final int FEW = 8;

  private final Trouble trouble = new Trouble(log, "A commit");
  private final SagaStore store;
  private final int node;
  private final int batchMax;
  private final InstantSource clock;
  private final EngineListener listener;
  private final Queue<Entry> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger underWay = new AtomicInteger();
  private volatile Instant lastTaken = Instant.MIN;
  private volatile Instant lastWritten = Instant.MIN;
  private volatile Instant lastEmpty;
  private volatile int freshFailures;
  private volatile Instant failingSince = Instant.MIN;
  private final Set<Batch> taken = synchronizedSet(newSetFromMap(new IdentityHashMap<>()));
  private final Deque<Batch> again = new ArrayDeque<>();
  private final Queue<Blocked> blocked = new PriorityQueue<>();
  private boolean tryingBlocked;
  private Runnable onSubmit = () -> {};
  private Runnable onNotices = () -> {};
  private Executor settler = Runnable::run;

  public GroupCommit(
      SagaStore store, int node, int batchMax, InstantSource clock, EngineListener listener) {
    this.store = store;
    this.node = node;
    this.batchMax = batchMax;
    this.clock = clock;
    this.listener = listener;
    this.lastEmpty = clock.instant();
  }

  void submit(Write write, Consumer<Fate> settled) {
    queue.add(new Entry(write, settled));
    waiting.incrementAndGet();
    if (isWorthACommit()) onSubmit.run();
  }

  private boolean isWorthACommit() {
    int busy = underWay.get();
    return busy == 0 || waiting.get() - busy >= WORTH_A_COMMIT;
  }

  /// To be told when there is something to flush.
  void onSubmit(Runnable ring) {
    onSubmit = ring;
  }

  /// To be told when there is something to publish.
  void onNotices(Runnable ring) {
    onNotices = ring;
  }

  /// Where large batches are settled, so that the writer can go on with the next.
  void settleOn(Executor executor) {
    settler = executor;
  }

  /// How many entries wait to be written or settled.
  public int waiting() {
    return waiting.get();
  }

  /// Whether a single entry waits, and nobody writes.
  boolean isOne() {
    return waiting.get() == 1 && underWay.get() == 0;
  }

  /// Whether there is something to write that no flush has taken.
  boolean isLeft() {
    if (!queue.isEmpty()) return true;
    synchronized (again) {
      return !again.isEmpty();
    }
  }

  /// What one flush did.
  public enum Flushed {
    NOTHING,
    SOME,
    /// The store could not do it; the batch waits to be sent again.
    FAILED
  }

  /// Writes one batch: an old one that must be sent again, or all that waits.
  public Flushed flush() {
    if (!isWorthACommit() && clock.instant().isBefore(lastTaken.plus(PATIENCE))) {
      return Flushed.NOTHING;
    }
    var batch = take();
    if (batch == null) return Flushed.NOTHING;
    if (batch.isBlocked()) return writeBlocked(batch);
    int size = batch.entries().size();
    underWay.addAndGet(size);
    lastTaken = clock.instant();
    try {
      return write(batch);
    } finally {
      underWay.addAndGet(-size);
    }
  }

  /// It may take as long as somebody else's lock: nobody waits for it as for a commit.
  private Flushed writeBlocked(Batch batch) {
    try {
      return write(batch);
    } finally {
      synchronized (again) {
        tryingBlocked = false;
      }
    }
  }

  private Flushed write(Batch batch) {
    var writes = batch.entries().stream().map(Entry::write).toList();
    var begun = clock.instant();
    BitSet written;
    try {
      written = store.commit(node, writes);
      if (batch.inDoubt()) written.or(store.wrote(node, writes));
    } catch (StoreException failure) {
      var flushed = failed(batch, failure);
      trouble.failed(failure);
      listener.storeFailed("commit " + writes.size() + " entries", failure);
      return flushed;
    } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError surprise) {
      // Nobody planned for this one: it may have been committed.
      surprised(batch);
      log.error("commit of {} entries: unexpected", writes.size(), surprise);
      return Flushed.FAILED;
    }
    lastWritten = clock.instant();
    freshFailures = 0;
    handOver(batch, written);
    trouble.worked();
    listener.committed(writes.size(), Pulse.span(begun, lastWritten));
    if (writes.stream().anyMatch(write -> !write.notices().isEmpty())) onNotices.run();
    return Flushed.SOME;
  }

  private void handOver(Batch batch, BitSet written) {
    if (batch.entries().size() <= FEW) settle(batch, written);
    else settler.execute(() -> settle(batch, written));
  }

  /// What surprises again and again is some entry's fault: it is found, so that the others go on.
  private void surprised(Batch batch) {
    taken.remove(batch);
    var next = batch.surprised();
    if (next.surprises() < SURPRISES_MAX) repeat(next);
    else halve(next);
  }

  private Flushed failed(Batch batch, StoreException failure) {
    taken.remove(batch);
    if (!batch.isBlocked()) noteFailure();
    switch (failure.kind()) {
      case UNKNOWN -> repeat(batch.doubted());
      case NOT_DONE, UNUSABLE -> repeat(batch);
      case BLOCKED -> {
        splitUp(batch.blockedAgain());
        return Flushed.SOME;
      }
      case BAD_DATA -> {
        halve(batch);
        return Flushed.SOME;
      }
    }
    return Flushed.FAILED;
  }

  /// Several batches in a row that nothing was known against failed: not a lock on one row, but
  /// something that is in the way of all.
  private synchronized void noteFailure() {
    if (freshFailures == 0) failingSince = clock.instant();
    freshFailures += 1;
  }

  /// Something is in the way of one of them: the others must not wait for it. Of many, most are
  /// through after one more attempt, and it stands alone after two.
  private void splitUp(Batch batch) {
    int size = batch.entries().size();
    int share = batch.blocked() == 1 ? (int) Math.sqrt(size) : 1;
    var next = size > 1 ? clock.instant() : clock.instant().plus(pause(batch.blocked()));
    synchronized (again) {
      for (int from = 0; from < size; from += share) {
        blocked.add(new Blocked(batch.part(from, Math.min(from + share, size)), next));
      }
    }
  }

  private static Duration pause(int attempts) {
    return BLOCKED_AGAIN.multipliedBy(1L << Math.min(attempts - 1, BLOCKED_DOUBLINGS));
  }

  private void halve(Batch batch) {
    int size = batch.entries().size();
    if (size == 1) {
      waiting.decrementAndGet();
      tell(batch.entries().getFirst(), Fate.UNSTORABLE);
      return;
    }
    repeat(batch.part(size / 2, size));
    repeat(batch.part(0, size / 2));
  }

  private void settle(Batch batch, BitSet written) {
    taken.remove(batch);
    waiting.addAndGet(-batch.entries().size());
    for (int i = 0; i < batch.entries().size(); i++) {
      tell(batch.entries().get(i), written.get(i) ? Fate.WRITTEN : Fate.REFUSED);
    }
  }

  private static void tell(Entry entry, Fate fate) {
    try {
      entry.settled().accept(fate);
    } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError bug) {
      log.atError()
          .addKeyValue("saga_id", entry.write().id())
          .setCause(bug)
          .log("saga {}: could not go on after its write", entry.write().id());
    }
  }

  private @Nullable Batch take() {
    var batch = next();
    if (batch != null) taken.add(batch);
    return batch;
  }

  private @Nullable Batch next() {
    synchronized (again) {
      var first = again.isEmpty() ? takeBlocked() : again.removeFirst();
      if (first != null) return first;
    }
    var since = lastEmpty;
    var now = clock.instant();
    var entries = new ArrayList<Entry>(Math.min(batchMax, Math.max(1, waiting.get())));
    var ids = new HashSet<String>();
    for (var entry = queue.poll(); entry != null; entry = queue.poll()) {
      // One entry per saga: a second start of the same id goes by itself.
      if (ids.add(entry.write().id())) entries.add(entry);
      else repeat(Batch.of(List.of(entry), since));
      if (entries.size() == batchMax) break;
    }
    if (entries.size() < batchMax) lastEmpty = now;
    return entries.isEmpty() ? null : Batch.of(entries, since);
  }

  /// However much is locked by others, one writer at most waits for it.
  private @Nullable Batch takeBlocked() {
    var first = blocked.peek();
    if (first == null || tryingBlocked || first.again().isAfter(clock.instant())) return null;
    tryingBlocked = true;
    return blocked.remove().batch();
  }

  private void repeat(Batch batch) {
    synchronized (again) {
      if (batch.isBlocked()) blocked.add(new Blocked(batch, clock.instant()));
      else again.addFirst(batch);
    }
  }

  // How far behind it is

  /// How long the oldest entry has waited to be written and settled, at least.
  Duration oldest() {
    var now = clock.instant();
    return Pulse.span(oldestOf(now, true), now);
  }

  /// How long nothing has been written although something waits, other than for somebody's lock.
  Duration standsStill() {
    var now = clock.instant();
    if (freshFailures >= FAILURES_OF_ALL) return Pulse.span(failingSince, now);
    var oldest = oldestOf(now, false);
    return Pulse.span(oldest.isBefore(lastWritten) ? lastWritten : oldest, now);
  }

  private Instant oldestOf(Instant now, boolean withBlocked) {
    var batches = new ArrayList<>(taken);
    synchronized (again) {
      batches.addAll(again);
      for (var one : blocked) batches.add(one.batch());
    }
    var oldest = queue.isEmpty() ? now : lastEmpty;
    for (var batch : batches) {
      if ((withBlocked || !batch.isBlocked()) && batch.since().isBefore(oldest)) {
        oldest = batch.since();
      }
    }
    return oldest;
  }
}
