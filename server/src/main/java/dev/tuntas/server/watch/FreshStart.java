package dev.tuntas.server.watch;

import dev.tuntas.engine.Trouble;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/// Closes everything and begins anew. Whoever has a supervisor ends, with a code of its own, and is
/// started by that; `./tuntas run`, which has none, starts again in the same process, once. What
/// cannot be closed within half a minute ends in any case.
public final class FreshStart implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(FreshStart.class);

  /// What a supervisor sees: a failure that goes away by trying again.
  public static final int EXIT_CODE = 75;

  private static final Duration CLOSED_WITHIN = Duration.ofSeconds(30);
  private static final long REST_NANOS = Duration.ofSeconds(5).toNanos();

  /// How often this process may begin anew by itself.
  private static final AtomicInteger restarts =
      new AtomicInteger(Integer.getInteger("dev.tuntas.restarts", 0));

  private static volatile Runnable again = () -> {};

  private final ConfigurableApplicationContext application;

  public FreshStart(ConfigurableApplicationContext application) {
    this.application = application;
  }

  /// What starts the application once more in this process.
  public static void byStartingAgain(Runnable start) {
    again = start;
  }

  @Override
  public void run() {
    var patience = Thread.ofPlatform().daemon().name("tuntas-patience").start(FreshStart::lose);
    Thread.ofPlatform().name("tuntas-fresh-start").start(() -> begin(patience));
  }

  private void begin(Thread patience) {
    int code = SpringApplication.exit(application, () -> EXIT_CODE);
    if (restarts.getAndDecrement() <= 0) System.exit(code);
    patience.interrupt();
    var trouble = new Trouble(log, "The fresh start");
    while (!starts(trouble)) LockSupport.parkNanos(REST_NANOS);
  }

  /// What kept it from starting may pass.
  private static boolean starts(Trouble trouble) {
    try {
      again.run();
      return true;
    } catch (RuntimeException e) {
      trouble.failed(e);
      return false;
    }
  }

  private static void lose() {
    try {
      Thread.sleep(CLOSED_WITHIN);
    } catch (InterruptedException _) {
      return;
    }
    Runtime.getRuntime().halt(EXIT_CODE);
  }
}
