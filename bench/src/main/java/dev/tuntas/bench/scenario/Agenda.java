package dev.tuntas.bench.scenario;

import dev.tuntas.simulator.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.PriorityQueue;

/// Virtual time: a clock that jumps to whatever is due next. What is due at the same moment happens
/// in the order in which it was planned.
final class Agenda implements InstantSource, Timer {

  static final Instant START = Instant.parse("2027-01-01T00:00:00Z");

  private record Task(long at, long number, Runnable work) {}

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(
          (a, b) -> a.at != b.at ? Long.compare(a.at, b.at) : Long.compare(a.number, b.number));
  private long now = START.toEpochMilli();
  private long number;

  @Override
  public long millis() {
    return now;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(now);
  }

  /// How much time has passed.
  Duration elapsed() {
    return Duration.ofMillis(now - START.toEpochMilli());
  }

  @Override
  public void after(Duration time, Runnable task) {
    tasks.add(new Task(now + Math.max(0, time.toMillis()), number++, task));
  }

  /// At so much time from the start.
  void at(Duration sinceStart, Runnable task) {
    after(sinceStart.minus(elapsed()), task);
  }

  /// Again and again, for ever.
  void every(Duration pause, Runnable duty) {
    after(
        pause,
        () -> {
          duty.run();
          every(pause, duty);
        });
  }

  /// Goes to the next task and does it. False if there is none.
  boolean step() {
    var next = tasks.poll();
    if (next == null) return false;
    now = Math.max(now, next.at);
    next.work.run();
    return true;
  }
}
