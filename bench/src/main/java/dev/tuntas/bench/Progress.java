package dev.tuntas.bench;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A bar on standard error that says what is being done, and lines that say what was found so far,
/// if that is a terminal.
public final class Progress implements AutoCloseable {

  private static final Duration REPAINT_EVERY = Duration.ofMillis(200);
  private static final int WIDTH = 30;
  private static final int STANDARD_ERROR = 2;
  private static final double ALMOST_DONE = 0.99;

  private final @Nullable Thread painter;
  private final long startedAt = System.nanoTime();
  private long expectedNanos = Long.MAX_VALUE;
  private double shareDone = -1;
  private String label = "starting";
  private boolean closed;

  private Progress(boolean shown) {
    this.painter =
        shown ? Thread.ofPlatform().daemon().name("progress").start(this::paintOnAndOn) : null;
  }

  public static Progress onTerminal() {
    return new Progress(isTerminal(STANDARD_ERROR));
  }

  /// How long all of it should take.
  public synchronized void expect(Duration whole) {
    expectedNanos = Math.max(1, whole.toNanos());
  }

  public synchronized void phase(String what) {
    label = what;
  }

  /// Says on a line of its own what was found so far.
  public synchronized void say(String found) {
    if (painter == null) return;
    System.err.println("\r\033[K" + found);
    System.err.flush();
  }

  /// How much of the whole is done, where that is known better than by time.
  public synchronized void done(double share) {
    shareDone = share;
  }

  private void paintOnAndOn() {
    try {
      while (true) {
        paint();
        Thread.sleep(REPAINT_EVERY);
      }
    } catch (InterruptedException _) {
      // closed
    }
  }

  private synchronized void paint() {
    if (closed) return;
    double byTime = (double) (System.nanoTime() - startedAt) / expectedNanos;
    double share = shareDone >= 0 ? shareDone : byTime;
    double shown = Math.min(ALMOST_DONE, share);
    int done = (int) (shown * WIDTH);
    System.err.printf(
        "\r\033[K[%s%s] %2.0f %% %s",
        "#".repeat(done), " ".repeat(WIDTH - done), shown * 100, label);
    System.err.flush();
  }

  /// Removes the bar.
  @Override
  public synchronized void close() {
    if (closed || painter == null) return;
    closed = true;
    System.err.print("\r\033[K");
    System.err.flush();
    painter.interrupt();
  }

  /// Asks the C library; where that cannot be done, there is no bar.
  @SuppressWarnings("restricted") // the launcher allows it
  private static boolean isTerminal(int descriptor) {
    try {
      var linker = Linker.nativeLinker();
      var isatty = linker.defaultLookup().find("isatty");
      if (isatty.isEmpty()) return false;
      var call = linker.downcallHandle(isatty.get(), FunctionDescriptor.of(JAVA_INT, JAVA_INT));
      return (int) call.invokeExact(descriptor) == 1;
    } catch (Throwable _) {
      return false;
    }
  }
}
