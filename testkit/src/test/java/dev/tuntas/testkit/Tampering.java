package dev.tuntas.testkit;

import dev.tuntas.engine.SagaRow;
import java.util.List;

/// What no store should do, for those that are wrong on purpose.
public final class Tampering {

  private Tampering() {}

  /// Gives sagas to a node, whoever has them.
  public static List<SagaRow> seize(MemoryStore store, int node, List<SagaRow> rows) {
    return store.seize(node, rows);
  }

  /// Loses a saga.
  public static void lose(MemoryStore store, SagaRow row) {
    store.lose(row);
  }
}
