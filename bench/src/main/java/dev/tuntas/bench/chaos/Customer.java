package dev.tuntas.bench.chaos;

import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/// Runs one errand: sends the order, with the same key, until an answer says what became of it.
final class Customer {

  private static final int REPEATS_MAX = 3;
  private static final int LOOKS_MAX = 20;
  private static final int WAIT_SECONDS_MAX = 4;
  private static final int PAUSE_MILLIS_MAX = 400;
  private static final int REFUSALS_COUNTED = 4;

  private final Door door;
  private final Story story;
  private final RandomGenerator random;
  private final LongSupplier until;

  /// @param until when to give up, in nanoseconds of this process
  Customer(Door door, Story story, LongSupplier until) {
    this.door = door;
    this.story = story;
    this.random = new SplittableRandom(story.errand().seed());
    this.until = until;
  }

  void run() throws InterruptedException {
    boolean waits = story.errand().manner() == Errand.Manner.WAITS;
    place(waits ? 1 + random.nextInt(WAIT_SECONDS_MAX) : 0);
    var order = story.orderId();
    if (order.isEmpty()) return;
    switch (story.errand().manner()) {
      case TRUSTS -> {}
      case REPEATS -> repeat(0);
      case WAITS -> repeat(WAIT_SECONDS_MAX);
      case WATCHES -> watch(order.get());
      case CANCELS -> cancel(order.get());
    }
  }

  private void place(int waitSeconds) throws InterruptedException {
    untilAnswered(() -> door.place(story, waitSeconds));
  }

  private void repeat(int waitSeconds) throws InterruptedException {
    int times = 1 + random.nextInt(REPEATS_MAX);
    for (int i = 0; i < times; i++) {
      pause();
      place(waitSeconds);
    }
  }

  private void watch(String orderId) throws InterruptedException {
    for (int i = 0; i < LOOKS_MAX; i++) {
      pause();
      var seen = door.look(story, orderId);
      if (seen.filter(Told::hasEnded).isPresent()) return;
    }
  }

  private void cancel(String orderId) throws InterruptedException {
    if (random.nextBoolean()) pause();
    untilAnswered(() -> door.cancel(story, orderId));
  }

  private interface Attempt {
    Optional<Told> make() throws InterruptedException;
  }

  /// An answer is one that does not ask to come again. Who is asked to comes less and less often:
  /// hundreds who keep knocking would take the time that a process needs to start.
  private void untilAnswered(Attempt attempt) throws InterruptedException {
    int refusals = 0;
    while (System.nanoTime() < until.getAsLong()) {
      var told = attempt.make();
      if (told.isPresent() && !told.get().asksToComeAgain()) return;
      if (told.isPresent()) refusals = Math.min(refusals + 1, REFUSALS_COUNTED);
      pause(PAUSE_MILLIS_MAX << refusals);
    }
  }

  private void pause() throws InterruptedException {
    pause(PAUSE_MILLIS_MAX);
  }

  private void pause(int millisMax) throws InterruptedException {
    Thread.sleep(Duration.ofMillis(20 + random.nextInt(millisMax)));
  }
}
