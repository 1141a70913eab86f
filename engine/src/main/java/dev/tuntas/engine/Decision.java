package dev.tuntas.engine;

import dev.tuntas.saga.Notice;
import java.util.List;

/// What follows from an event. An empty history means that nothing needs to be recorded. `verdict`
/// is the answer to whoever said something.
public record Decision<D>(
    State<D> state, Next next, List<Notice> notices, List<HistoryEntry> history, String verdict) {

  /// What was decided, for people.
  public String what() {
    return HistoryText.of(history);
  }
}
