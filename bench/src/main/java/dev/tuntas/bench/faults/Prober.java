package dev.tuntas.bench.faults;

import dev.tuntas.bench.chaos.Door;
import dev.tuntas.bench.chaos.Errand;
import dev.tuntas.bench.chaos.Journal;
import dev.tuntas.bench.chaos.Story;
import dev.tuntas.bench.chaos.Told;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// Places a plain order twice a second, once each, and looks when it ends: so it is known since
/// when orders move again.
final class Prober implements AutoCloseable {

  /// One of them. Times are nanoseconds of this process; 0 is not yet.
  static final class Probe {

    private final long askedAt;
    private volatile long acceptedAt;
    private volatile long endedAt;

    Probe(long askedAt) {
      this.askedAt = askedAt;
    }

    Probe accepted(long at) {
      acceptedAt = at;
      return this;
    }

    Probe ended(long at) {
      endedAt = at;
      return this;
    }
  }

  private static final Duration EVERY = Duration.ofMillis(500);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(300);
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(5);
  private static final int KINDS = 20;

  /// Far from those of other customers.
  private static final long FIRST = 1_000_000;

  private final Door door;
  private final Journal journal;
  private final ConcurrentLinkedQueue<Probe> probes = new ConcurrentLinkedQueue<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private Prober(Door door, Journal journal) {
    this.door = door;
    this.journal = journal;
  }

  static Prober start(Door door, Journal journal) {
    var prober = new Prober(door, journal);
    prober.threads.submit(prober::placeOnAndOn);
    return prober;
  }

  private @Nullable Void placeOnAndOn() throws InterruptedException {
    for (long no = FIRST; ; no++) {
      var story = journal.open(errand(no));
      threads.submit(() -> follow(story));
      Thread.sleep(EVERY);
    }
  }

  private static Errand errand(long no) {
    var body =
        """
        {"kind":"checkout","customer_id":"cus-%1$d","payment_method":"pm_ok","cart_id":"cart-%1$d",\
        "lines":[{"sku":"SKU-%2$d","quantity":1}]}\
        """
            .formatted(no, 1 + no % KINDS);
    return new Errand(no, 0, "probe-" + no, body, Errand.Manner.WATCHES, no);
  }

  private @Nullable Void follow(Story story) throws InterruptedException {
    var probe = new Probe(System.nanoTime());
    probes.add(probe);
    door.place(story, 0);
    var order = story.orderId();
    if (order.isEmpty()) return null;
    probe.accepted(System.nanoTime());
    while (door.look(story, order.get()).filter(Told::isSettled).isEmpty()) {
      Thread.sleep(LOOK_AGAIN);
    }
    probe.ended(System.nanoTime());
    return null;
  }

  /// Waits until so many have got to their end. False if that takes too long.
  boolean awaitEnds(int count, Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    while (probes.stream().filter(probe -> probe.endedAt > 0).count() < count) {
      if (System.nanoTime() > end) return false;
      Thread.sleep(LOOK_AGAIN);
    }
    return true;
  }

  /// Waits until orders move again, and tells after how many seconds they did.
  OptionalDouble awaitRecovery(long from, long healedAt, Duration atMost)
      throws InterruptedException {
    while (true) {
      var seconds = recovery(List.copyOf(probes), from, healedAt);
      if (seconds.isPresent() || System.nanoTime() > healedAt + atMost.toNanos()) return seconds;
      Thread.sleep(LOOK_AGAIN);
    }
  }

  /// Orders move again when one that was placed after the healing has ended, and all that were
  /// accepted during the fault.
  static OptionalDouble recovery(List<Probe> probes, long from, long healedAt) {
    var first =
        probes.stream()
            .filter(probe -> probe.askedAt >= healedAt && probe.endedAt > 0)
            .mapToLong(probe -> probe.endedAt)
            .min();
    var meanwhile =
        probes.stream().filter(it -> it.acceptedAt >= from && it.acceptedAt < healedAt).toList();
    if (first.isEmpty() || meanwhile.stream().anyMatch(probe -> probe.endedAt == 0)) {
      return OptionalDouble.empty();
    }
    long last = meanwhile.stream().mapToLong(probe -> probe.endedAt).max().orElse(0);
    return OptionalDouble.of((Math.max(first.getAsLong(), last) - healedAt) / 1e9);
  }

  double endedShare(long from, long to) {
    return endedShare(List.copyOf(probes), from, to);
  }

  /// How many of those that were asked for in this time have ended before it was over. The last
  /// ones, which had no time for that, are not counted.
  static double endedShare(List<Probe> probes, long from, long to) {
    var asked =
        probes.stream()
            .filter(it -> it.askedAt >= from && it.askedAt < to - ENDS_WITHIN.toNanos())
            .toList();
    long ended = asked.stream().filter(it -> it.endedAt > 0 && it.endedAt < to).count();
    return asked.isEmpty() ? 1 : (double) ended / asked.size();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
