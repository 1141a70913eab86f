package dev.tuntas.store;

import dev.tuntas.engine.SagaRow;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Who owns which saga. `materialized` matters: a limit inside `in` may be executed again.
final class Claims {

  private static final String DUE =
      """
      with overdue as materialized (
        select s.id, s.deadline from tuntas_saga s
         where s.lane = ? and s.due_at <= ? and s.kind = any (?)
           and not exists (select 1 from tuntas_node me where me.id = ? and me.dead)
         order by s.due_at limit ?),
      nearest as materialized (select id from overdue order by deadline limit ?),
      due (claimed) as materialized (
        select s.id from nearest n cross join tuntas_saga s
         where s.id = n.id and s.due_at is not null for update of s skip locked)
      update tuntas_saga set status = 'R', owner = ?, due_at = null
        from due where id = claimed
      returning
      """
          + SagaRows.COLUMNS;

  private static final String LATE =
      """
      with late (claimed) as materialized (
        select s.id from tuntas_saga s
         where s.due_at is not null and s.deadline <= ? and s.kind = any (?)
           and not exists (select 1 from tuntas_node me where me.id = ? and me.dead)
         order by s.deadline limit ? for update of s skip locked)
      update tuntas_saga set status = 'R', owner = ?, due_at = null
        from late where id = claimed
      returning
      """
          + SagaRows.COLUMNS;

  private static final String SIGNALLED =
      """
      with rung (claimed) as materialized (
        select s.id from tuntas_saga s
         where s.owner is null and s.kind = any (?)
           and s.id in (select saga_id from tuntas_signal where applied_at is null)
           and not exists (select 1 from tuntas_node me where me.id = ? and me.dead)
         limit ? for update of s skip locked)
      update tuntas_saga set status = 'R', owner = ?, due_at = null, ended_at = null
        from rung where id = claimed
      returning
      """
          + SagaRows.COLUMNS;

  private static final String NAMED =
      """
      with named (claimed) as materialized (
        select s.id from tuntas_saga s
         where s.id = any (?) and s.lane = any (?) and s.kind = any (?)
           and s.due_at is not null and s.due_at <= ?
           and not exists (select 1 from tuntas_node me where me.id = ? and me.dead)
         for update of s skip locked)
      update tuntas_saga set status = 'R', owner = ?, due_at = null
        from named where id = claimed
      returning
      """
          + SagaRows.COLUMNS;

  private static final String ABANDONED =
      """
      with abandoned (claimed) as materialized (
        select s.id from tuntas_node n cross join tuntas_saga s
         where s.owner = n.id and n.dead and s.kind = any (?)
           and exists (select 1 from tuntas_node me where me.id = ? and not me.dead)
         limit ? for update of s skip locked)
      update tuntas_saga set owner = ?, crashes = crashes + 1
        from abandoned where id = claimed
      returning
      """
          + SagaRows.COLUMNS;

  private static final String OWNED =
      "select id from tuntas_saga where owner = ? and moved_at not between ? and ? limit ?";

  /// Along the indexes, so that those that ended long ago cost nothing.
  private static final String LAST_MOVE =
      """
      select at from (
        select max(ended_at) as at from tuntas_saga where ended_at is not null
        union all select max(moved_at) from tuntas_saga where owner is not null
        union all select max(moved_at) from tuntas_saga where due_at is not null) moves
       where at is not null order by at desc limit 1
      """;

  private final Database database;

  Claims(Database database) {
    this.database = database;
  }

  List<SagaRow> due(
      int node, int lane, Set<Integer> kinds, Instant now, int candidates, int limit) {
    return database.write(
        "claim due sagas",
        session ->
            session.list(DUE, SagaRows::read, lane, now, kinds, node, candidates, limit, node));
  }

  List<SagaRow> late(int node, Set<Integer> kinds, Instant now, int limit) {
    return database.write(
        "claim late sagas",
        session -> session.list(LATE, SagaRows::read, now, kinds, node, limit, node));
  }

  List<SagaRow> signalled(int node, Set<Integer> kinds, int limit) {
    return database.write(
        "claim signalled sagas",
        session -> session.list(SIGNALLED, SagaRows::read, kinds, node, limit, node));
  }

  List<SagaRow> named(
      int node, Collection<String> ids, Set<Integer> lanes, Set<Integer> kinds, Instant now) {
    if (ids.isEmpty()) return List.of();
    return database.write(
        "claim sagas by name",
        session -> session.list(NAMED, SagaRows::read, ids, lanes, kinds, now, node, node));
  }

  List<SagaRow> takeOver(int node, Set<Integer> kinds, int limit) {
    return database.write(
        "take over sagas of dead nodes",
        session -> session.list(ABANDONED, SagaRows::read, kinds, node, limit, node));
  }

  List<String> ownedBy(int node, Instant from, Instant to, int limit) {
    return database.read(
        "look for sagas of node " + node,
        session -> session.list(OWNED, row -> row.getString(1), node, from, to, limit));
  }

  Optional<Instant> lastMove() {
    return database.read(
        "look for the last move",
        session -> session.first(LAST_MOVE, row -> Instant.ofEpochMilli(row.getLong(1))));
  }
}
