package dev.tuntas.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write;
import dev.tuntas.saga.Notice;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Rows of the application that are written with new sagas.
interface CompanionsRules {

  Stores stores();

  /// Each saga with a name takes that name, which must be free.
  final class Names implements Companions {
    final Map<String, String> wanted = new HashMap<>();

    @Override
    public boolean has(String sagaId) {
      return wanted.containsKey(sagaId);
    }

    @Override
    public Set<String> write(Session session, List<Write.Insert> sagas) throws SQLException {
      var bulk = new Bulk("shop_item", "name", "name", "stock");
      var refused = new HashSet<String>();
      for (var saga : sagas) {
        var name = wanted.get(saga.id());
        if (bulk.insert(session, List.of(List.of(name, 1L))).isEmpty()) refused.add(saga.id());
      }
      return refused;
    }
  }

  private static Write.Insert saga(String id, int kind) {
    var at = Instant.ofEpochMilli(1_000);
    return new Write.Insert(
        id,
        kind,
        Status.RUNNING,
        0,
        null,
        at,
        "ready",
        "{}",
        "accepted",
        List.of(new Notice("t", "{}")),
        at);
  }

  private BitSet commit(Names names, String... idsAndNames) {
    var tables = stores().tables(TablesRules.SHOP);
    tables.ping();
    stores().accompany(names);
    int node = stores().sagas().join("n");
    int kind =
        stores()
            .sagas()
            .register(Set.of(new dev.tuntas.engine.SagaStore.Shape("s", 1, "h")))
            .values()
            .iterator()
            .next();
    var batch = new ArrayList<Write>();
    for (int i = 0; i < idsAndNames.length; i += 2) {
      if (!idsAndNames[i + 1].isEmpty()) names.wanted.put(idsAndNames[i], idsAndNames[i + 1]);
      batch.add(saga(idsAndNames[i], kind));
    }
    return stores().sagas().commit(node, batch);
  }

  private long items() {
    return stores()
        .tables(TablesRules.SHOP)
        .read(
            "count", s -> s.first("select count(*) from shop_item", r -> r.getLong(1)).orElse(0L));
  }

  @Test
  default void they_are_committed_with_their_saga() {
    assertThat(commit(new Names(), "a", "tea", "b", "", "c", "rice").cardinality()).isEqualTo(3);
    assertThat(items()).isEqualTo(2);
    assertThat(stores().sagas().find("a")).isPresent();
  }

  @Test
  default void a_saga_whose_company_is_refused_is_not_started_and_the_others_are() {
    var written = commit(new Names(), "a", "tea", "b", "tea", "c", "", "d", "rice");
    assertThat(written).isEqualTo(BitSet.valueOf(new long[] {0b1101}));
    assertThat(stores().sagas().find("b")).isEmpty();
    assertThat(stores().sagas().find("d")).isPresent();
    assertThat(items()).isEqualTo(2);
    assertThat(stores().outbox().next(Instant.now(), 10)).hasSize(3);
  }

  @Test
  default void all_refused_is_nothing_written() {
    commit(new Names(), "a", "tea");
    assertThat(commit(new Names(), "b", "tea").isEmpty()).isTrue();
    assertThat(stores().sagas().find("b")).isEmpty();
  }

  @Test
  default void a_known_saga_in_the_same_batch_fails_nobody() {
    commit(new Names(), "a", "");
    var written = commit(new Names(), "a", "", "b", "tea");
    assertThat(written).isEqualTo(BitSet.valueOf(new long[] {0b10}));
  }
}
