package dev.tuntas.testkit;

import dev.tuntas.engine.InboxItem;
import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.SagaStore;
import dev.tuntas.engine.SagaStore.Peer;
import dev.tuntas.engine.Write;
import java.util.BitSet;
import java.util.List;

/// An empty store with two living nodes, two registered definitions and two lanes.
interface StoreUnderTest {

  /// Enough for everything that a test has in the store.
  int ALL = 10_000;

  SagaStore store();

  Outbox outbox();

  /// The same data in a store that was opened again; the earlier one is closed.
  void reopenStore();

  int alice();

  int bob();

  int kind();

  int otherKind();

  int lane();

  int otherLane();

  /// Writes one entry; false when it was refused.
  default boolean write(int node, Write entry) {
    return store().commit(node, List.of(entry)).get(0);
  }

  /// Writes entries of which none is refused.
  default void writeAll(int node, Write... entries) {
    var written = store().commit(node, List.of(entries));
    if (written.cardinality() < entries.length) {
      throw new AssertionError("of %d entries only %s".formatted(entries.length, written));
    }
  }

  default SagaRow row(String id) {
    return store().find(id).orElseThrow(() -> new AssertionError("there is no saga " + id));
  }

  default List<String> eventIds() {
    return outbox().next(Entries.LATER, ALL).stream().map(Outbox.Entry::eventId).toList();
  }

  /// Says something to a running saga of this node, and returns where it is in the inbox.
  default long tell(int node, String sagaId, String externalId) {
    store().put(sagaId, Entries.signal(externalId), Entries.START);
    return store().pending(node, ALL).stream()
        .filter(item -> item.signal().externalId().equals(externalId))
        .mapToLong(InboxItem::pos)
        .findFirst()
        .orElseThrow(() -> new AssertionError(externalId + " is not pending"));
  }

  /// Declares a node dead, as another that has long seen the same beat would.
  default void dies(int node) {
    int witness = node == alice() ? bob() : alice();
    long beat =
        store().beat(witness).peers().stream()
            .filter(peer -> peer.node() == node)
            .mapToLong(Peer::beat)
            .findFirst()
            .orElseThrow(() -> new AssertionError("node " + node + " does not live"));
    if (!store().declareDead(node, beat)) throw new AssertionError("node " + node + " lives");
  }

  static List<String> ids(List<SagaRow> rows) {
    return rows.stream().map(SagaRow::id).toList();
  }

  static List<Integer> bits(BitSet bits) {
    return bits.stream().boxed().toList();
  }
}
