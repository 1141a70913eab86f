package dev.tuntas.server.watch;

import dev.tuntas.server.Main;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.context.ConfigurableApplicationContext;

/// A server that wants a fresh start as soon as it runs, and ends when it runs again.
final class FreshStartProgram {

  static final int RAN_TWICE = 3;

  private FreshStartProgram() {}

  public static void main(String[] words) {
    var running = new AtomicReference<ConfigurableApplicationContext>();
    Runnable start = () -> running.set(Main.application().run(words));
    FreshStart.byStartingAgain(
        () -> {
          start.run();
          System.exit(RAN_TWICE);
        });
    start.run();
    new FreshStart(running.get()).run();
  }
}
