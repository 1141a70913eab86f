package dev.tuntas.engine;

import static dev.tuntas.engine.StoreException.Kind.BAD_DATA;
import static dev.tuntas.engine.StoreException.Kind.BLOCKED;
import static dev.tuntas.engine.StoreException.Kind.UNKNOWN;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
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
  /// somebody else had a lock on one of them, who is waited for until `again`. `givenUp` is one
  /// that the store cannot take: it is only asked whether it has it.
  private static final class Batch {

    final List<Entry> entries;
    final Instant since;
    boolean inDoubt;
    int surprises;
    int blocked;
    boolean givenUp;
    Instant again = Instant.MIN;

    /// How many of its entries know what became of them.
    int told;

    /// What became of the others, until somebody tells them.
    private @Nullable BitSet fates;

    private @Nullable Batch next;

    Batch(List<Entry> entries, Instant since) {
      this.entries = entries;
      this.since = since;
    }

    int size() {
      return entries.size() - told;
    }

    boolean isBlocked() {
      return blocked > 0;
    }

    List<Write> writes() {
      return entries.stream().skip(told).map(Entry::write).toList();
    }

    Batch part(int from, int to) {
      var part = new Batch(entries.subList(told + from, told + to), since);
      part.inDoubt = inDoubt;
      part.surprises = surprises;
      part.blocked = blocked;
      part.givenUp = givenUp;
      part.again = again;
      return part;
    }

    synchronized void known(BitSet written) {
      fates = written;
    }

    /// Null if somebody else tells them.
    synchronized @Nullable BitSet takeFates() {
      var taken = fates;
      fates = null;
      return taken;
    }
  }

  /// A list that needs no memory to take a batch in, nor to let it go: a batch is in one of them
  /// until all of its entries know what became of them, whatever is thrown meanwhile.
  private static final class Batches {

    private @Nullable Batch first;

    void add(Batch batch) {
      batch.next = first;
      first = batch;
    }

    void remove(Batch batch) {
      if (first == batch) first = batch.next;
      else
        for (var it = first; it != null; it = it.next) if (it.next == batch) it.next = batch.next;
      batch.next = null;
    }
  }

  private static final BitSet NONE = new BitSet();

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
  private final Object lists = new Object();
  private final Batches taken = new Batches();
  private final Batches again = new Batches();
  private final Batches blocked = new Batches();
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
    try {
      if (isWorthACommit()) onSubmit.run();
    } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError bug) {
      log.warn("could not wake a writer, which looks by itself soon", bug);
    }
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
    synchronized (lists) {
      return again.first != null;
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
    int size = batch.size();
    underWay.addAndGet(size);
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
      synchronized (lists) {
        tryingBlocked = false;
      }
    }
  }

  /// Whatever is thrown, the batch is settled if its fate is known, and put back otherwise.
  private Flushed write(Batch batch) {
    BitSet written = null;
    StoreException.Kind kind = null;
    try {
      var begun = clock.instant();
      if (batch.isBlocked()) batch.again = begun;
      else lastTaken = begun;
      var writes = batch.writes();
      written = commit(batch, writes);
      noteSuccess(writes, begun);
      return Flushed.SOME;
    } catch (StoreException failure) {
      kind = failure.kind();
      noteFailure(batch, failure);
      return kind == BLOCKED || kind == BAD_DATA ? Flushed.SOME : Flushed.FAILED;
    } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError surprise) {
      log.error("commit of {} entries: unexpected", batch.size(), surprise);
      return Flushed.FAILED;
    } finally {
      if (written != null) handOver(batch, written);
      else putBack(batch, kind);
    }
  }

  private BitSet commit(Batch batch, List<Write> writes) {
    if (batch.givenUp) return store.wrote(node, writes);
    var written = store.commit(node, writes);
    if (batch.inDoubt) written.or(store.wrote(node, writes));
    return written;
  }

  private void noteSuccess(List<Write> writes, Instant begun) {
    lastWritten = clock.instant();
    freshFailures = 0;
    trouble.worked();
    listener.committed(writes.size(), Pulse.span(begun, lastWritten));
    if (writes.stream().anyMatch(write -> !write.notices().isEmpty())) onNotices.run();
  }

  /// Several batches in a row that nothing was known against failed: not a lock on one row, but
  /// something that is in the way of all.
  private void noteFailure(Batch batch, StoreException failure) {
    if (!batch.isBlocked()) {
      synchronized (this) {
        if (freshFailures == 0) failingSince = later(batch.since, lastWritten);
        freshFailures += 1;
      }
    }
    trouble.failed(failure);
    listener.storeFailed("commit " + batch.size() + " entries", failure);
  }

  private void handOver(Batch batch, BitSet written) {
    batch.known(written);
    boolean handedOver = false;
    try {
      if (batch.size() > FEW) {
        settler.execute(() -> settle(batch));
        handedOver = true;
      }
    } finally {
      if (!handedOver) settle(batch);
    }
  }

  /// @param kind why it was not written; null if nobody planned for it: it may have been committed
  private void putBack(Batch batch, StoreException.@Nullable Kind kind) {
    boolean isBad = kind == BAD_DATA;
    if (kind == null) {
      batch.surprises += 1;
      // What surprises again and again is some entry's fault: it is found, so that others go on.
      isBad = batch.surprises >= SURPRISES_MAX && !batch.givenUp;
    }
    if (kind == null || kind == UNKNOWN) batch.inDoubt = true;
    if (isBad && batch.size() == 1 && batch.inDoubt && !batch.givenUp) {
      batch.givenUp = true;
      repeat(batch);
      return;
    }
    if (isBad && batch.size() == 1) {
      tell(batch, NONE, Fate.UNSTORABLE);
      return;
    }
    boolean split = false;
    try {
      if (kind == BLOCKED) split = splitUp(batch);
      else if (isBad) split = halve(batch);
    } finally {
      if (!split) repeat(batch);
    }
  }

  /// Something is in the way of one of them: the others must not wait for it. Of many, most are
  /// through after one more attempt, and it stands alone after two.
  private boolean splitUp(Batch batch) {
    int size = batch.size();
    int share = batch.blocked == 0 ? (int) Math.sqrt(size) : 1;
    var now = clock.instant();
    var parts = new ArrayList<Batch>();
    for (int from = 0; from < size; from += share) {
      var part = batch.part(from, Math.min(from + share, size));
      part.blocked += 1;
      part.again = size > 1 ? now : now.plus(pause(part.blocked));
      parts.add(part);
    }
    synchronized (lists) {
      taken.remove(batch);
      for (int i = parts.size() - 1; i >= 0; i--) blocked.add(parts.get(i));
    }
    return true;
  }

  private static Duration pause(int attempts) {
    return BLOCKED_AGAIN.multipliedBy(1L << Math.min(attempts - 1, BLOCKED_DOUBLINGS));
  }

  private boolean halve(Batch batch) {
    int size = batch.size();
    var front = batch.part(0, size / 2);
    var rest = batch.part(size / 2, size);
    synchronized (lists) {
      taken.remove(batch);
      var to = batch.isBlocked() ? blocked : again;
      to.add(rest);
      to.add(front);
    }
    return true;
  }

  private void repeat(Batch batch) {
    synchronized (lists) {
      taken.remove(batch);
      (batch.isBlocked() ? blocked : again).add(batch);
    }
  }

  private void settle(Batch batch) {
    var fates = batch.takeFates();
    if (fates != null) tell(batch, fates, batch.givenUp ? Fate.UNSTORABLE : Fate.REFUSED);
  }

  /// Those that cannot be told now are asked for again: the store knows what became of them.
  private void tell(Batch batch, BitSet written, Fate others) {
    int before = batch.told;
    waiting.addAndGet(-batch.size());
    try {
      while (batch.size() > 0) {
        int at = batch.told++;
        tell(batch.entries.get(at), written.get(at - before) ? Fate.WRITTEN : others);
      }
    } finally {
      waiting.addAndGet(batch.size());
      if (batch.size() > 0) {
        batch.inDoubt = true;
        repeat(batch);
      } else {
        synchronized (lists) {
          taken.remove(batch);
        }
      }
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
    synchronized (lists) {
      if (again.first != null) return taken(again, again.first);
      var free = freeOfLocks();
      if (free != null) {
        tryingBlocked = true;
        return taken(blocked, free);
      }
    }
    return queue.isEmpty() ? null : takeNew();
  }

  private Batch taken(Batches from, Batch batch) {
    from.remove(batch);
    taken.add(batch);
    return batch;
  }

  /// However much is locked by others, one writer at most waits for it.
  private @Nullable Batch freeOfLocks() {
    if (blocked.first == null || tryingBlocked) return null;
    var now = clock.instant();
    Batch best = null;
    for (var it = blocked.first; it != null; it = it.next) {
      if (it.again.isAfter(now)) continue;
      if (best == null || isBefore(it, best)) best = it;
    }
    return best;
  }

  private static boolean isBefore(Batch one, Batch other) {
    int earlier = one.again.compareTo(other.again);
    return earlier < 0 || earlier == 0 && one.blocked < other.blocked;
  }

  /// An entry leaves the queue when it is in a batch, and the batch is in a list.
  private @Nullable Batch takeNew() {
    var now = clock.instant();
    int most = Math.min(batchMax, Math.max(1, waiting.get()));
    var batch = new Batch(new ArrayList<>(most), lastEmpty);
    var ids = new HashSet<String>();
    boolean full = false;
    synchronized (lists) {
      taken.add(batch);
    }
    try {
      synchronized (queue) {
        fill(batch.entries, ids, now);
      }
      full = batch.size() > 0;
      return full ? batch : null;
    } finally {
      if (!full) leave(batch);
    }
  }

  private void leave(Batch batch) {
    synchronized (lists) {
      taken.remove(batch);
      if (batch.size() > 0) again.add(batch);
    }
  }

  /// One entry per saga: a second start of the same id waits for the next batch.
  private void fill(List<Entry> entries, Set<String> ids, Instant now) {
    while (entries.size() < batchMax) {
      var entry = queue.peek();
      if (entry == null) {
        lastEmpty = now;
        return;
      }
      if (!ids.add(entry.write().id())) return;
      entries.add(entry);
      queue.remove();
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
    return Pulse.span(later(oldest, lastWritten), now);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isBefore(other) ? other : one;
  }

  private Instant oldestOf(Instant now, boolean withBlocked) {
    var oldest = queue.isEmpty() ? now : lastEmpty;
    synchronized (lists) {
      oldest = oldestOf(taken, oldest, withBlocked);
      oldest = oldestOf(again, oldest, withBlocked);
      return oldestOf(blocked, oldest, withBlocked);
    }
  }

  private static Instant oldestOf(Batches batches, Instant oldest, boolean withBlocked) {
    for (var it = batches.first; it != null; it = it.next) {
      if ((withBlocked || !it.isBlocked()) && it.since.isBefore(oldest)) oldest = it.since;
    }
    return oldest;
  }
}
