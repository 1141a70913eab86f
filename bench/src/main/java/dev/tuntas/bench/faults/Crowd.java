package dev.tuntas.bench.faults;

import dev.tuntas.bench.chaos.Door;
import dev.tuntas.bench.chaos.Errand;
import dev.tuntas.bench.chaos.Journal;
import dev.tuntas.bench.chaos.Story;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/// Many customers who want the same, all at once.
record Crowd(Door door, Journal journal) {

  private static final int AT_ONCE = 32;
  private static final Duration COME_AGAIN = Duration.ofMillis(500);

  /// Far from the numbers of other customers.
  private static final long FIRST = 2_000_000;

  /// Orders so many rides, and returns when all were accepted.
  void orderRides(int count) throws InterruptedException {
    var places = new Semaphore(AT_ONCE);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (long no = FIRST; no < FIRST + count; no++) {
        var story = journal.open(ride(no));
        places.acquire();
        threads.submit(
            () -> {
              try {
                order(story);
              } finally {
                places.release();
              }
              return null;
            });
      }
    }
  }

  private void order(Story story) throws InterruptedException {
    door.place(story, 0);
    while (story.orderId().isEmpty()) {
      Thread.sleep(COME_AGAIN);
      door.place(story, 0);
    }
  }

  private static Errand ride(long no) {
    var body =
        """
        {"kind":"ride","customer_id":"cus-%d","service_type":"RIDE","channel":"MYBB",\
        "pickup_location":{"latitude":-6.2088,"longitude":106.8456},\
        "dropoff_location":{"latitude":-6.1256,"longitude":106.6559},\
        "payment":{"status":"PAID","amount":50000,"currency":"IDR"}}\
        """
            .formatted(no);
    return new Errand(no, 0, "ride-" + no, body, Errand.Manner.TRUSTS, no);
  }
}
