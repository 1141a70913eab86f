package dev.tuntas.testkit.simulation;

import java.time.Instant;
import java.time.InstantSource;
import java.util.PriorityQueue;

/// A clock that jumps to the next event. Thirty minutes pass in no time.
final class VirtualTime implements InstantSource {

  private static final long START = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

  private record Event(long at, long seq, boolean duty, Runnable task) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          (a, b) -> a.at != b.at ? Long.compare(a.at, b.at) : Long.compare(a.seq, b.seq));
  private long now = START;
  private long seq;
  private int others;

  @Override
  public long millis() {
    return now;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(now);
  }

  long sinceStart() {
    return now - START;
  }

  void after(long wait, Runnable task) {
    others += 1;
    events.add(new Event(now + Math.max(0, wait), seq++, false, task));
  }

  /// A duty is repeated for ever: when only duties are left, nothing happens by itself.
  void dutyAfter(long wait, Runnable task) {
    events.add(new Event(now + Math.max(0, wait), seq++, true, task));
  }

  /// Runs the next event. False when there is none.
  boolean step() {
    var next = events.poll();
    if (next == null) return false;
    if (!next.duty()) others -= 1;
    now = Math.max(now, next.at());
    next.task().run();
    return true;
  }

  /// When the next event is, or `Long.MAX_VALUE`.
  long nextAt() {
    var next = events.peek();
    return next == null ? Long.MAX_VALUE : next.at();
  }

  /// Goes there without running anything.
  void advanceTo(long time) {
    now = Math.max(now, time);
  }

  boolean onlyDutiesLeft() {
    return others == 0;
  }

  /// Leaps ahead while nothing happens by itself; duties go on from there.
  void leapTo(long time) {
    long leap = time - now;
    if (leap <= 0) return;
    var later = events.stream().map(e -> new Event(e.at() + leap, e.seq(), e.duty(), e.task()));
    var moved = later.toList();
    events.clear();
    events.addAll(moved);
    now = time;
  }
}
