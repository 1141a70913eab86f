package dev.tuntas.adapters.bus;

import dev.tuntas.bus.Subscription;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A queue that is listened to on a thread of its own until it is closed. Whatever ends that
/// before, it begins anew.
abstract class Listening implements Subscription {

  private static final Logger log = LoggerFactory.getLogger(Listening.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  final String queue;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread;
  private volatile boolean paused;
  private boolean deaf;

  Listening(String queue) {
    this.queue = queue;
    this.thread = Thread.ofPlatform().daemon().name("tuntas-bus-" + queue).unstarted(this::run);
  }

  void begin() {
    thread.start();
  }

  /// Listens for as long as that goes well.
  abstract void listen() throws Exception;

  /// To be told by whoever listens, from then on.
  final void listening() {
    if (deaf) log.info("{} listens again", queue);
    deaf = false;
  }

  /// It did not go well, and is tried again after a rest.
  void troubled() {}

  /// It is to notice that it has ended.
  void wake() {}

  private void run() {
    while (isOpen()) {
      try {
        listen();
      } catch (Exception | Error trouble) {
        if (!isOpen()) return;
        if (!deaf) log.warn("{} cannot listen, and tries again: {}", queue, trouble.toString());
        deaf = true;
        troubled();
        rest(RETRY);
      }
    }
  }

  final boolean isOpen() {
    return ended.getCount() > 0;
  }

  final boolean isPaused() {
    return paused;
  }

  /// False when there is no time left.
  final boolean rest(Duration pause) {
    try {
      return !ended.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public final void pause() {
    paused = true;
  }

  @Override
  public final void resume() {
    paused = false;
  }

  @Override
  public final void close() {
    ended.countDown();
    wake();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
