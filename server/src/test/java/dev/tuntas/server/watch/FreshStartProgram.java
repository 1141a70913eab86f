package dev.tuntas.server.watch;

import dev.tuntas.server.Main;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/// A server that wants a fresh start as soon as it runs. With `-Dhangs=true` something in it cannot
/// be closed.
final class FreshStartProgram {

  private FreshStartProgram() {}

  public static void main(String[] words) {
    var application = Main.application().run(words);
    boolean hangs = Boolean.getBoolean("hangs");
    if (hangs) application.addApplicationListener(hanging());
    // The one that hangs is not waited for; the other has all the time that it may need.
    new FreshStart(application, hangs ? Duration.ofSeconds(1) : Duration.ofMinutes(2)).run();
  }

  private static ApplicationListener<ContextClosedEvent> hanging() {
    return _ -> {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    };
  }
}
