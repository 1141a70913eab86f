package dev.tuntas.testkit.threads;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/// What rewritten classes call in the place of the JDK's methods. Outside of a run, while classes
/// are made ready, there is one thread, and nothing of it matters.
@SuppressWarnings("unused") // called by rewritten classes
public final class Controlled {

  private Controlled() {}

  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

  static Task task() {
    var task = Task.current();
    if (task == null) throw new IllegalStateException("a controlled class outside of a run");
    return task;
  }

  /// Waits, and may be interrupted. Returns whether what it waits for is true.
  static boolean await(String what, long nanos, BooleanSupplier until) throws InterruptedException {
    var task = task();
    refuseInterrupted(task);
    boolean is = waitFor(task, what, nanos, () -> task.interrupted || until.getAsBoolean());
    if (is && until.getAsBoolean()) return true;
    refuseInterrupted(task);
    return false;
  }

  static void awaitPatiently(String what, BooleanSupplier until) {
    waitFor(task(), what, Long.MAX_VALUE, until);
  }

  private static boolean waitFor(Task task, String what, long nanos, BooleanSupplier until) {
    long deadline = task.scheduler.nanos() + nanos;
    return task.scheduler.await(task, what, deadline < 0 ? Task.NEVER : deadline, until);
  }

  private static void refuseInterrupted(Task task) throws InterruptedException {
    if (!task.interrupted) return;
    task.interrupted = false;
    throw new InterruptedException();
  }

  // Points

  public static void point() {
    var task = Task.current();
    if (task != null) task.scheduler.point(task, false);
  }

  public static void plainPoint() {
    var task = Task.current();
    if (task != null) task.scheduler.point(task, true);
  }

  public static int number() {
    var task = Task.current();
    return task == null ? 0 : task.scheduler.nextNumber();
  }

  // Monitors

  public static void enter(Object monitor) {
    var task = Task.current();
    if (task != null) task.scheduler.lock(task, monitor);
  }

  public static void exit(Object monitor) {
    var task = Task.current();
    if (task != null) task.scheduler.unlock(task, monitor);
  }

  // Time

  public static long nanoTime() {
    var task = Task.current();
    return task == null ? 0 : task.scheduler.nanos();
  }

  public static long currentTimeMillis() {
    return now().toEpochMilli();
  }

  public static Instant now() {
    var task = Task.current();
    return task == null ? Instant.EPOCH : task.scheduler.instant();
  }

  public static InstantSource clock() {
    return Controlled::now;
  }

  public static int availableProcessors(Runtime runtime) {
    return task().scheduler.processors();
  }

  // Threads

  public static void sleep(long millis) throws InterruptedException {
    await("its sleep", millis * 1_000_000, () -> false);
  }

  public static void sleep(Duration span) throws InterruptedException {
    await("its sleep", span.toNanos(), () -> false);
  }

  public static boolean interrupted() {
    var task = task();
    boolean was = task.interrupted;
    task.interrupted = false;
    return was;
  }

  public static boolean isInterrupted(Thread thread) {
    return of(thread).interrupted;
  }

  public static void interrupt(Thread thread) {
    point();
    of(thread).interrupted = true;
  }

  public static void start(Thread thread) {
    var task = task();
    task.scheduler.start(of(thread));
    point();
  }

  public static Thread startVirtualThread(Runnable work) {
    return ofVirtual().start(work);
  }

  public static boolean isAlive(Thread thread) {
    var task = of(thread);
    return task.started && !task.ended;
  }

  public static void join(Thread thread) throws InterruptedException {
    join(thread, FOREVER);
  }

  public static boolean join(Thread thread, Duration atMost) throws InterruptedException {
    var other = of(thread);
    return await("the end of " + other, atMost.toNanos(), () -> other.ended);
  }

  public static void join(Thread thread, long millis) throws InterruptedException {
    join(thread, millis == 0 ? FOREVER : Duration.ofMillis(millis));
  }

  public static void setName(Thread thread, String name) {
    of(thread).name = name;
  }

  public static String getName(Thread thread) {
    return of(thread).name;
  }

  public static void setContextClassLoader(Thread thread, @Nullable ClassLoader loader) {}

  public static @Nullable ClassLoader getContextClassLoader(Thread thread) {
    return null;
  }

  public static void giveWay() {
    point();
  }

  private static Task of(Thread thread) {
    return task().scheduler.of(thread);
  }

  public static ControlledThreads ofPlatform() {
    return new ControlledThreads();
  }

  public static ControlledThreads ofVirtual() {
    return new ControlledThreads();
  }

  public static void park() {
    parkNanos(Task.current(), Long.MAX_VALUE);
  }

  public static void park(@Nullable Object blocker) {
    parkNanos(blocker, Long.MAX_VALUE);
  }

  public static void parkNanos(long nanos) {
    parkNanos(Task.current(), nanos);
  }

  public static void parkNanos(@Nullable Object blocker, long nanos) {
    var task = task();
    waitFor(task, "its permit", Math.max(0, nanos), () -> task.permit || task.interrupted);
    task.permit = false;
  }

  public static void unpark(@Nullable Thread thread) {
    point();
    if (thread != null) of(thread).permit = true;
  }

  public static ScheduledExecutorService newSingleThreadScheduledExecutor(ThreadFactory threads) {
    return new ControlledTimer(threads);
  }

  public static ExecutorService newFixedThreadPool(int size, ThreadFactory threads) {
    var queue = new ControlledQueue<Runnable>();
    var otherwise = new ThreadPoolExecutor.AbortPolicy();
    return new ControlledPool(size, size, 0, TimeUnit.SECONDS, queue, threads, otherwise);
  }

  // What the JDK does while it holds a lock of its own: nobody else may go on meanwhile

  private static <K, V, R> R undivided(Map<K, V> map, Supplier<R> work) {
    point();
    var task = Task.current();
    if (task == null || !(map instanceof ConcurrentMap)) return work.get();
    task.undivided += 1;
    try {
      return work.get();
    } finally {
      task.undivided -= 1;
    }
  }

  public static <K, V> @Nullable V compute(
      Map<K, V> map, K key, BiFunction<? super K, ? super V, ? extends V> to) {
    return undivided(map, () -> map.compute(key, to));
  }

  public static <K, V> @Nullable V computeIfAbsent(
      Map<K, V> map, K key, Function<? super K, ? extends V> to) {
    return undivided(map, () -> map.computeIfAbsent(key, to));
  }

  public static <K, V> @Nullable V computeIfPresent(
      Map<K, V> map, K key, BiFunction<? super K, ? super V, ? extends V> to) {
    return undivided(map, () -> map.computeIfPresent(key, to));
  }

  public static <K, V> @Nullable V merge(
      Map<K, V> map, K key, V value, BiFunction<? super V, ? super V, ? extends V> to) {
    return undivided(map, () -> map.merge(key, value, to));
  }

  public static Logger getLogger(Class<?> type) {
    return new ControlledLog(type.getSimpleName());
  }
}
