package dev.tuntas.testkit.simulation;

import java.time.Instant;
import java.time.InstantSource;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// A clock that jumps to the next event. Thirty minutes pass in no time.
final class VirtualTime implements InstantSource {

  private static final long START = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

  private record Event(long at, long seq, Runnable task) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(seq, other.seq);
    }
  }

  private final PriorityQueue<Event> duties = new PriorityQueue<>();
  private final PriorityQueue<Event> others = new PriorityQueue<>();
  private long now = START;
  private long seq;

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
    others.add(new Event(now + Math.max(0, wait), seq++, task));
  }

  /// A duty is repeated for ever: when only duties are left, nothing happens by itself.
  void dutyAfter(long wait, Runnable task) {
    duties.add(new Event(now + Math.max(0, wait), seq++, task));
  }

  /// Runs the next event. False when there is none.
  boolean step() {
    var next = first().poll();
    if (next == null) return false;
    now = Math.max(now, next.at());
    next.task().run();
    return true;
  }

  private PriorityQueue<Event> first() {
    var duty = duties.peek();
    var other = others.peek();
    boolean isDuty = other == null || duty != null && duty.compareTo(other) < 0;
    return isDuty ? duties : others;
  }

  /// When the next event is, or `Long.MAX_VALUE`.
  long nextAt() {
    return at(first().peek());
  }

  /// When the next event is that is no duty, or `Long.MAX_VALUE`.
  long nextOther() {
    return at(others.peek());
  }

  private static long at(@Nullable Event event) {
    return event == null ? Long.MAX_VALUE : event.at();
  }

  /// Goes there without running anything.
  void advanceTo(long time) {
    now = Math.max(now, time);
  }

  boolean onlyDutiesLeft() {
    return others.isEmpty();
  }

  /// Leaps ahead while nothing happens by itself; duties go on from there.
  void leapTo(long time) {
    long leap = time - now;
    if (leap <= 0) return;
    var later = duties.stream().map(e -> new Event(e.at() + leap, e.seq(), e.task())).toList();
    duties.clear();
    duties.addAll(later);
    now = time;
  }
}
