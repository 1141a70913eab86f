package dev.tuntas.simulator;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;

/// A clock and a timer that move only when they are told to.
final class VirtualTime implements InstantSource, Timer {

  private record Task(Instant at, long number, Runnable work) {}

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparing(Task::at).thenComparing(Task::number));
  private Instant now = Instant.parse("2027-01-01T00:00:00Z");
  private long number;

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public void after(Duration time, Runnable task) {
    tasks.add(new Task(now.plus(time), number++, task));
  }

  void pass(Duration time) {
    var end = now.plus(time);
    while (!tasks.isEmpty() && !tasks.peek().at().isAfter(end)) {
      var task = tasks.remove();
      now = task.at();
      task.work().run();
    }
    now = end;
  }

  /// As if the process had ended.
  void forget() {
    tasks.clear();
  }

  boolean isQuiet() {
    return tasks.isEmpty();
  }
}
