package dev.tuntas.testkit;

import dev.tuntas.engine.SagaStore.Peer;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Who lives, by number. Whoever joined and is not among the living is dead.
final class NodeTable {

  private final NavigableMap<Integer, Long> beats = new TreeMap<>();
  private int joined;

  int join() {
    joined++;
    beats.put(joined, 0L);
    return joined;
  }

  /// Whether the node is alive; its beat is counted if so.
  boolean beat(int node) {
    return beats.computeIfPresent(node, (_, beat) -> beat + 1) != null;
  }

  boolean declareDead(int node, long beatSeen) {
    return beats.remove(node, beatSeen);
  }

  void leave(int node) {
    beats.remove(node);
  }

  boolean isDead(int node) {
    return node <= joined && !beats.containsKey(node);
  }

  List<Peer> peers() {
    return beats.entrySet().stream().map(e -> new Peer(e.getKey(), e.getValue())).toList();
  }
}
