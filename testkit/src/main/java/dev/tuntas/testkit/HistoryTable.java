package dev.tuntas.testkit;

import dev.tuntas.engine.HistoryLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One line for every version of every saga, without gaps.
final class HistoryTable {

  private final Map<String, List<HistoryLine>> lines = new HashMap<>();

  void add(HistoryLine line) {
    var ofSaga = lines.computeIfAbsent(line.sagaId(), _ -> new ArrayList<>());
    if (line.version() != ofSaga.size() + 1) {
      throw new IllegalStateException(
          "saga %s has %d versions and would get version %d"
              .formatted(line.sagaId(), ofSaga.size(), line.version()));
    }
    ofSaga.add(line);
  }

  List<HistoryLine> of(String id) {
    return List.copyOf(lines.getOrDefault(id, List.of()));
  }

  @Nullable HistoryLine line(String id, long version) {
    var ofSaga = lines.getOrDefault(id, List.of());
    return version < 1 || version > ofSaga.size() ? null : ofSaga.get((int) version - 1);
  }

  void remove(String id) {
    lines.remove(id);
  }
}
