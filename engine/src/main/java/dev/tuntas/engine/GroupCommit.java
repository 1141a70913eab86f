package dev.tuntas.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
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

  /// Entries that go together; `inDoubt` if they may have been committed already; `surprises`
  /// counts failures that nobody planned for.
  private record Batch(List<Entry> entries, boolean inDoubt, int surprises) {

    Batch part(int from, int to) {
      return new Batch(entries.subList(from, to), inDoubt, surprises);
    }

    Batch doubted() {
      return new Batch(entries, true, surprises);
    }
  }

  private static final int SURPRISES_MAX = 10;

  /// So many entries are worth a commit beside one that is under way. Fewer are left to the writer
  /// that is at it, unless it takes too long.
  private static final int WORTH_A_COMMIT = 48;

  /// A commit that takes longer is not waited for, by the next writer that looks.
  private static final Duration PATIENCE = Duration.ofMillis(50);

  /// So few entries are settled at once: to hand them over would take longer.
  private static final int FEW = 8;

  private final SagaStore store;
  private final int node;
  private final int batchMax;
  private final InstantSource clock;
  private final EngineListener listener;
  private final Queue<Entry> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger underWay = new AtomicInteger();
  private volatile Instant lastTaken = Instant.MIN;
  private final Deque<Batch> again = new ArrayDeque<>();
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
    int size = batch.entries().size();
    underWay.addAndGet(size);
    lastTaken = clock.instant();
    try {
      return write(batch);
    } finally {
      underWay.addAndGet(-size);
    }
  }

  private Flushed write(Batch batch) {
    var writes = batch.entries().stream().map(Entry::write).toList();
    var begun = clock.instant();
    try {
      var written = store.commit(node, writes);
      if (batch.inDoubt()) written.or(store.wrote(node, writes));
      listener.committed(writes.size(), Pulse.span(begun, clock.instant()));
      if (writes.size() <= FEW) settle(batch, written);
      else settler.execute(() -> settle(batch, written));
      if (writes.stream().anyMatch(write -> !write.notices().isEmpty())) onNotices.run();
      return Flushed.SOME;
    } catch (StoreException failure) {
      listener.storeFailed("commit " + writes.size() + " entries", failure);
      return failed(batch, failure);
    } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError surprise) {
      // Nobody planned for this one: it may have been committed.
      log.error("commit of {} entries: unexpected", writes.size(), surprise);
      surprised(batch);
      return Flushed.FAILED;
    }
  }

  /// What surprises again and again is some entry's fault: it is found, so that the others go on.
  private void surprised(Batch batch) {
    var next = new Batch(batch.entries(), true, batch.surprises() + 1);
    if (next.surprises() < SURPRISES_MAX) repeat(next);
    else halve(next);
  }

  private Flushed failed(Batch batch, StoreException failure) {
    log.warn("commit of {} entries: {}", batch.entries().size(), failure.toString());
    switch (failure.kind()) {
      case UNKNOWN -> repeat(batch.doubted());
      case NOT_DONE, UNUSABLE -> repeat(batch);
      case BLOCKED -> splitUp(batch);
      case BAD_DATA -> {
        halve(batch);
        return Flushed.SOME;
      }
    }
    return Flushed.FAILED;
  }

  /// Something is in the way of one of them: the others must not wait for it.
  private void splitUp(Batch batch) {
    int size = batch.entries().size();
    synchronized (again) {
      if (size > 1) again.addLast(batch.part(0, size / 2));
      again.addLast(batch.part(size / 2, size));
    }
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
    synchronized (again) {
      var first = again.pollFirst();
      if (first != null) return first;
    }
    var entries = new ArrayList<Entry>();
    var ids = new HashSet<String>();
    for (var entry = queue.poll(); entry != null; entry = queue.poll()) {
      // One entry per saga: a second start of the same id goes by itself.
      if (ids.add(entry.write().id())) entries.add(entry);
      else repeat(new Batch(List.of(entry), false, 0));
      if (entries.size() == batchMax) break;
    }
    return entries.isEmpty() ? null : new Batch(entries, false, 0);
  }

  private void repeat(Batch batch) {
    synchronized (again) {
      again.addFirst(batch);
    }
  }
}
