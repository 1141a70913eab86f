package dev.tuntas.testkit.threads;

import static java.util.Comparator.comparingLong;
import static java.util.stream.Collectors.joining;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Runs threads one at a time, in virtual time. At each point where it could matter a seed decides
/// who goes on. Time moves only while all of them wait.
final class Scheduler {

  static final long SECOND = 1_000_000_000L;

  private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");
  private static final long START = 1_000 * SECOND;

  /// Points that one thread passes before others have their turn, however it is preempted else.
  private static final int TURN_MAX = 5_000;

  /// Points that all of them pass while time stands still.
  private static final int INSTANT_MAX = 400_000;

  /// Threads that are left when a scenario has ended have so long to end, too.
  private static final long REST = 60 * SECOND;

  private static final int NOTES = 60;
  private static final int TURNS = 60;
  private static final int REAL_SECONDS_MAX = 60;

  private record Hold(Task owner, int times) {}

  private record Line(long number, String text) {}

  private final RandomGenerator random;
  private final Manners manners;
  private final long bound;
  private final boolean tells;
  private final List<Task> tasks = new ArrayList<>();
  private final List<Task> ready = new ArrayList<>();
  private final IdentityHashMap<Thread, Task> byThread = new IdentityHashMap<>();
  private final IdentityHashMap<Object, Hold> holds = new IdentityHashMap<>();
  private final Deque<Line> notes = new ArrayDeque<>();
  private final Deque<Line> turns = new ArrayDeque<>();
  private final CountDownLatch allEnded = new CountDownLatch(1);
  private final int processors;
  private @Nullable Task first;
  private @Nullable Task current;
  private long now = START;
  private long endBy;
  private int untilPreemption;
  private int preemptions;
  private int turnPoints;
  private int instantPoints;
  private long points;
  private long switches;
  private long hash = 0xcbf29ce484222325L;
  private int numbers;
  private long told;
  private int lowest;
  private int living;
  private boolean calm;
  private @Nullable Throwable failure;
  private volatile boolean over;

  Scheduler(long seed, long bound, long pauseMax, boolean tells) {
    this.random = new SplittableRandom(seed);
    this.manners = Manners.drawn(random, pauseMax);
    this.bound = bound;
    this.endBy = START + bound;
    this.tells = tells;
    this.processors = random.nextInt(4) == 0 ? 1 : 2;
    this.untilPreemption = gap();
  }

  Manners manners() {
    return manners;
  }

  /// What a run came to.
  record Ran(long points, long switches, long nanos, long hash, @Nullable Throwable failure) {}

  Ran run(Runnable scenario) {
    var main = add("main", scenario);
    first = main;
    start(main);
    current = main;
    main.goOn();
    awaitEnd();
    return new Ran(points, switches, now - START, hash, failure);
  }

  private void awaitEnd() {
    try {
      if (allEnded.await(REAL_SECONDS_MAX, TimeUnit.SECONDS)) return;
      var stands = current;
      var trace = stands == null ? "" : Stories.stack(stands.thread().getStackTrace());
      over = true;
      throw new AssertionError(
          stands + " stands still for real, at something that is not controlled:\n" + trace);
    } catch (InterruptedException interrupted) {
      over = true;
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", interrupted);
    }
  }

  // Threads

  Task add(String name, Runnable work) {
    var task = new Task(this, byThread.size(), name, work);
    task.priority = random.nextInt(1 << 20);
    tasks.add(task);
    byThread.put(task.thread(), task);
    return task;
  }

  Task of(Thread thread) {
    var task = byThread.get(thread);
    if (task == null) throw new IllegalStateException(thread + " is no thread of this run");
    return task;
  }

  void start(Task task) {
    if (task.started) throw new IllegalThreadStateException();
    task.started = true;
    living += 1;
    task.thread().start();
  }

  /// Called by the task itself, as the last that it does.
  void ended(Task task) {
    synchronized (allEnded) {
      living -= 1;
      task.ended = true;
      if (over) {
        if (living == 0) allEnded.countDown();
        return;
      }
    }
    if (task == first) endBy = now + REST;
    if (living == 0) {
      over = true;
      allEnded.countDown();
      return;
    }
    try {
      handOver(choose());
    } catch (RunIsOver _) {
      // the choice found that it is
    }
  }

  void uncaught(Task task, Throwable thrown) {
    if (failure == null && !over) {
      note(() -> task + " ends with " + thrown);
      failure = thrown;
      stop();
    }
  }

  // Points and waits

  boolean isOver() {
    return over;
  }

  /// Somebody else may go on here.
  void point(Task task, boolean plain) {
    if (over) throw new RunIsOver();
    points += 1;
    if (task.undivided > 0 || plain && !manners.everywhere()) return;
    if (++instantPoints > INSTANT_MAX) throw livelock(task);
    boolean tooLong = ++turnPoints > TURN_MAX;
    if (--untilPreemption > 0 && !tooLong) return;
    untilPreemption = gap();
    if (!tooLong && preemptions >= manners.preemptions()) return;
    boolean pauses = !tooLong && isToPause();
    if (pauses) task.notBefore = now + 1 + random.nextLong(1 + random.nextLong(manners.pauseMax()));
    var next = otherThan(task);
    if (next == null && !pauses) return; // nobody else could go on
    if (!tooLong) preemptions += 1;
    task.priority = --lowest;
    switchTo(task, next == null ? choose() : next);
  }

  private boolean isToPause() {
    return !calm && manners.pauseMax() > 0 && random.nextInt(manners.pauseOneIn()) == 0;
  }

  /// From now on nobody stands still.
  void calm() {
    calm = true;
    for (var task : tasks) task.notBefore = 0;
  }

  private int gap() {
    return 1 + random.nextInt(2 * manners.gap());
  }

  /// Waits until something is true, or the time has come. Returns whether it is true.
  boolean await(Task task, String what, long deadline, BooleanSupplier until) {
    if (over) throw new RunIsOver();
    if (task.undivided > 0) {
      throw fail(new AssertionError(task + " waits for " + what + " while the JDK holds a lock"));
    }
    point(task, false);
    if (until.getAsBoolean()) return true;
    task.waitsFor = what;
    task.until = until;
    task.deadline = deadline;
    switchTo(task, choose());
    task.waitsFor = null;
    task.until = null;
    return until.getAsBoolean();
  }

  private void switchTo(Task from, Task to) {
    turnPoints = 0;
    if (to == from) return;
    tell(turns, TURNS, () -> at(from) + " -> " + to);
    handOver(to);
    from.waitForTurn();
  }

  private void handOver(Task to) {
    switches += 1;
    hash = (hash ^ to.number) * 0x100000001b3L;
    hash = (hash ^ now) * 0x100000001b3L;
    hash = (hash ^ points) * 0x100000001b3L;
    current = to;
    to.goOn();
  }

  private Task choose() {
    while (true) {
      ready.clear();
      for (var task : tasks) if (task.isReady(now)) ready.add(task);
      if (!ready.isEmpty()) return drawn();
      moveTime();
    }
  }

  private @Nullable Task otherThan(Task task) {
    ready.clear();
    for (var other : tasks) if (other != task && other.isReady(now)) ready.add(other);
    return ready.isEmpty() ? null : drawn();
  }

  private Task drawn() {
    if (!manners.byPriority()) return ready.get(random.nextInt(ready.size()));
    var best = ready.getFirst();
    for (var task : ready) if (task.priority > best.priority) best = task;
    return best;
  }

  private void moveTime() {
    tasks.removeIf(task -> task.ended);
    long next = Task.NEVER;
    for (var task : tasks) next = Math.min(next, task.readyAt());
    if (next == Task.NEVER) throw fail(new AssertionError("nobody can go on: " + waiting()));
    if (next > endBy) {
      throw fail(
          new AssertionError(
              endBy == START + bound
                  ? "it does not come to an end: " + waiting()
                  : "the scenario has ended, and others go on: " + waiting()));
    }
    now = Math.max(now, next);
    instantPoints = 0;
  }

  private AssertionError livelock(Task task) {
    note(() -> "livelock at " + Stories.stack(new Throwable().getStackTrace()));
    return fail(
        new AssertionError(
            task
                + " goes on and on while no time passes, also when all others had their turn: "
                + waiting()));
  }

  private String waiting() {
    return tasks.stream()
        .filter(task -> task.started && !task.ended)
        .map(task -> task + (task.waitsFor == null ? " runs" : " waits for " + task.waitsFor))
        .collect(joining(", "));
  }

  // Locks

  void lock(Task task, Object lock) {
    point(task, false);
    if (!tryLock(task, lock)) {
      task.wanted = lock;
      requireNoCircle(task);
      await(task, nameOf(lock), Task.NEVER, () -> isFree(task, lock));
      task.wanted = null;
      tryLock(task, lock);
    }
  }

  boolean isFree(Task task, Object lock) {
    var hold = holds.get(lock);
    return hold == null || hold.owner == task;
  }

  boolean tryLock(Task task, Object lock) {
    if (!isFree(task, lock)) return false;
    holds.merge(lock, new Hold(task, 1), (had, _) -> new Hold(task, had.times + 1));
    return true;
  }

  void unlock(Task task, Object lock) {
    if (over) return;
    var hold = holds.get(lock);
    if (hold == null || hold.owner != task) throw new IllegalMonitorStateException();
    if (hold.times == 1) holds.remove(lock);
    else holds.put(lock, new Hold(task, hold.times - 1));
    point(task, false);
  }

  boolean holds(Task task, Object lock) {
    var hold = holds.get(lock);
    return hold != null && hold.owner == task;
  }

  private void requireNoCircle(Task task) {
    var chain = new StringBuilder();
    var next = task;
    while (next.wanted != null) {
      var hold = holds.get(next.wanted);
      if (hold == null) return;
      chain.append(next).append(" waits for ").append(nameOf(next.wanted));
      chain.append(" of ").append(hold.owner).append(", ");
      next = hold.owner;
      if (next == task) throw fail(new AssertionError("deadlock: " + chain));
    }
  }

  private static String nameOf(Object lock) {
    return lock instanceof Class<?> type ? type.getSimpleName() : lock.getClass().getSimpleName();
  }

  // Time, and what else differs from run to run

  long nanos() {
    return now;
  }

  Instant instant() {
    return EPOCH.plusNanos(now - START);
  }

  int processors() {
    return processors;
  }

  int nextNumber() {
    return ++numbers;
  }

  // The end

  /// Notes what was found and ends the run. Returns what the caller is to throw.
  AssertionError fail(AssertionError found) {
    if (failure == null && !over) {
      failure = found;
      note(() -> "found: " + found.getMessage());
      stop();
    }
    throw new RunIsOver();
  }

  private void stop() {
    synchronized (allEnded) {
      over = true;
    }
    for (var task : tasks) if (task.started && !task.ended) task.goOn();
  }

  void note(Supplier<String> line) {
    tell(notes, NOTES, line);
  }

  private void tell(Deque<Line> lines, int max, Supplier<String> line) {
    if (!tells || over) return;
    if (lines.size() == max) lines.removeFirst();
    var at = String.format(Locale.ROOT, "%9.3fs  ", (now - START) / 1e9);
    lines.add(new Line(++told, at + line.get()));
  }

  /// The last that was noted, and the last turns that were taken.
  String story() {
    return Stream.concat(notes.stream(), turns.stream())
        .sorted(comparingLong(Line::number))
        .map(Line::text)
        .collect(joining("\n"));
  }

  private String at(Task task) {
    var place = Stories.place();
    var waits = task.waitsFor;
    return task + " (" + place + (waits == null ? "" : ", waits for " + waits) + ")";
  }
}
