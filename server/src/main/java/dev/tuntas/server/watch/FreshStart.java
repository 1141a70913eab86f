package dev.tuntas.server.watch;

import java.time.Duration;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/// Closes everything and ends this process with a code of its own, so that whoever watches over it
/// starts another: a supervisor, or `./tuntas run`, once. What cannot be closed in time ends with
/// the same code.
public final class FreshStart implements Runnable {

  /// A failure that goes away by trying again.
  public static final int EXIT_CODE = 75;

  private static final Duration CLOSED_WITHIN = Duration.ofSeconds(30);

  private final ConfigurableApplicationContext application;
  private final Duration closedWithin;

  public FreshStart(ConfigurableApplicationContext application) {
    this(application, CLOSED_WITHIN);
  }

  FreshStart(ConfigurableApplicationContext application, Duration closedWithin) {
    this.application = application;
    this.closedWithin = closedWithin;
  }

  @Override
  public void run() {
    Thread.ofPlatform().daemon().name("tuntas-patience").start(this::losePatience);
    Thread.ofPlatform().name("tuntas-fresh-start").start(this::end);
  }

  private void end() {
    System.exit(SpringApplication.exit(application, () -> EXIT_CODE));
  }

  private void losePatience() {
    try {
      Thread.sleep(closedWithin);
    } catch (InterruptedException _) {
      // then at once
    }
    Runtime.getRuntime().halt(EXIT_CODE);
  }
}
