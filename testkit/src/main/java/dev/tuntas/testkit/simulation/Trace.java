package dev.tuntas.testkit.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/// What happened, in order: the last lines for people, and a hash of all of them, so that two runs
/// can be told apart by one number.
final class Trace {

  private static final int LINES_MAX = 4_000;

  private record Line(long at, String saga, String text) {}

  private final Deque<Line> lines = new ArrayDeque<>();
  private final VirtualTime time;
  private long hash = 0xcbf29ce484222325L;
  private long events;

  Trace(VirtualTime time) {
    this.time = time;
  }

  void note(String saga, String text) {
    events += 1;
    hash = (hash ^ text.hashCode()) * 0x100000001b3L;
    hash = (hash ^ (saga.hashCode() * 31L + time.millis())) * 0x100000001b3L;
    if (lines.size() == LINES_MAX) lines.removeFirst();
    lines.add(new Line(time.sinceStart(), saga, text));
  }

  long hash() {
    return hash;
  }

  long events() {
    return events;
  }

  /// What happened to one saga, and to the processes around it.
  List<String> story(String saga) {
    return lines.stream()
        .filter(line -> line.saga().isEmpty() || line.saga().equals(saga) || saga.isEmpty())
        .map(line -> String.format(Locale.ROOT, "%9.3fs  %s", line.at() / 1000.0, line.text()))
        .toList();
  }
}
