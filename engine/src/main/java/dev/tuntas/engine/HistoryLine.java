package dev.tuntas.engine;

import java.time.Instant;
import java.util.List;

/// One decision about a saga: which version it made, when and by which node.
///
/// @param text what was decided, as it is stored: see [#entries] and [#what]
public record HistoryLine(String sagaId, long version, Instant at, int node, String text) {

  /// What was decided, for programs.
  public List<HistoryEntry> entries() {
    return HistoryCodec.decode(text);
  }

  /// What was decided, for people.
  public String what() {
    return HistoryCodec.isEnglish(text) ? text : HistoryText.of(entries());
  }
}
