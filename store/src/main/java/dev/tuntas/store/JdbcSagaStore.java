package dev.tuntas.store;

import dev.tuntas.engine.HistoryLine;
import dev.tuntas.engine.InboxItem;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.SagaStore;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.engine.Write;
import dev.tuntas.saga.Signal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Sagas in a database. Each group of methods has its statements in a class of its own.
final class JdbcSagaStore implements SagaStore {

  private final Database database;
  private final Batches batches;
  private final Registry registry;
  private final Nodes nodes;
  private final Claims claims;
  private final Inbox inbox;
  private final Archive archive;
  private volatile Companions companions = Companions.NONE;

  JdbcSagaStore(Database database, Batches batches, Nodes nodes) {
    this.database = database;
    this.batches = batches;
    this.nodes = nodes;
    this.registry = new Registry(database);
    this.claims = new Claims(database);
    this.inbox = new Inbox(database);
    this.archive = new Archive(database);
  }

  @Override
  public Map<Shape, Integer> register(Collection<Shape> shapes) {
    return registry.register(shapes);
  }

  @Override
  public Map<String, Integer> lanes(Collection<String> names) {
    return registry.lanes(names);
  }

  @Override
  public List<Unknown> unknown(Set<Integer> kinds) {
    return registry.unknown(kinds);
  }

  @Override
  public void tell(Offset offset) {
    nodes.tell(offset);
  }

  @Override
  public Optional<Offset> offset() {
    return nodes.offset();
  }

  @Override
  public Optional<Instant> lastMove() {
    return claims.lastMove();
  }

  @Override
  public int join(String name) {
    return nodes.join(name);
  }

  @Override
  public Reading beat(int node) {
    return nodes.beat(node);
  }

  @Override
  public boolean declareDead(int node, long beatSeen) {
    return nodes.declareDead(node, beatSeen);
  }

  @Override
  public void leave(int node) {
    nodes.leave(node);
  }

  @Override
  public BitSet commit(int node, List<Write> batch) {
    requireOneEach(batch);
    if (batch.isEmpty()) return new BitSet();
    var attempted = "commit " + batch.size() + " entries";
    var accompanied = accompanied(batch);
    if (accompanied.isEmpty()) {
      return database.commit(attempted, session -> batches.write(session, node, batch, false));
    }
    return database.commitTogether(
        attempted,
        session -> {
          var refused = companions.write(session, accompanied);
          return without(refused, batch, rest -> batches.write(session, node, rest, true));
        });
  }

  @Override
  public int writers() {
    return database.writers();
  }

  private List<Write.Insert> accompanied(List<Write> batch) {
    var found = new ArrayList<Write.Insert>();
    for (var entry : batch) {
      if (entry instanceof Write.Insert insert && companions.has(insert.id())) found.add(insert);
    }
    return found;
  }

  private interface Writing {
    BitSet write(List<Write> entries) throws SQLException;
  }

  /// Writes what is left of the batch; the bits are those of the whole.
  private static BitSet without(Set<String> refused, List<Write> batch, Writing writing)
      throws SQLException {
    if (refused.isEmpty()) return writing.write(batch);
    var places = new ArrayList<Integer>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      if (!refused.contains(batch.get(i).id())) places.add(i);
    }
    if (places.isEmpty()) return new BitSet();
    var rest = writing.write(places.stream().map(batch::get).toList());
    var all = new BitSet(batch.size());
    rest.stream().forEach(i -> all.set(places.get(i)));
    return all;
  }

  /// From now on, new sagas may have company.
  void accompany(Companions by) {
    companions = by;
  }

  private static void requireOneEach(List<Write> batch) {
    var ids = HashSet.<String>newHashSet(batch.size());
    for (var entry : batch) {
      if (!ids.add(entry.id())) {
        throw new IllegalArgumentException("saga " + entry.id() + " is twice in one batch");
      }
    }
  }

  @Override
  public BitSet wrote(int node, List<Write> batch) {
    return archive.wrote(node, batch);
  }

  @Override
  public List<SagaRow> claimDue(
      int node, int lane, Set<Integer> kinds, Instant now, int candidates, int limit) {
    return claims.due(node, lane, kinds, now, candidates, limit);
  }

  @Override
  public List<SagaRow> claimLate(int node, Set<Integer> kinds, Instant now, int limit) {
    return claims.late(node, kinds, now, limit);
  }

  @Override
  public List<SagaRow> claimSignalled(int node, Set<Integer> kinds, int limit) {
    return claims.signalled(node, kinds, limit);
  }

  @Override
  public List<SagaRow> claim(
      int node, Collection<String> ids, Set<Integer> lanes, Set<Integer> kinds, Instant now) {
    return claims.named(node, ids, lanes, kinds, now);
  }

  @Override
  public List<SagaRow> takeOver(int node, Set<Integer> kinds, int limit) {
    return claims.takeOver(node, kinds, limit);
  }

  @Override
  public List<String> ownedBy(int node, Instant from, Instant to, int limit) {
    return claims.ownedBy(node, from, to, limit);
  }

  @Override
  public boolean insert(Connection callers, int node, Write.Insert saga) {
    if (database.dialect() == Dialect.SQLITE) {
      throw new StoreException(
          Kind.BAD_DATA,
          "SQLite has one writer, so a saga cannot join a transaction of another connection: "
              + "give that work to insertWith",
          null);
    }
    try (var session = Session.lent(callers, database.dialect())) {
      return batches.insert(session, node, saga);
    } catch (SQLException e) {
      throw database.failure("insert saga " + saga.id(), Database.Stage.COMMIT, e);
    }
  }

  @Override
  public boolean insertWith(int node, Write.Insert saga, Work work) throws Exception {
    try {
      return database.transact(
          "insert saga " + saga.id(),
          session -> {
            if (!batches.insert(session, node, saga)) return false;
            LentConnection.to(work, session);
            return true;
          });
    } catch (LentConnection.WorkFailed e) {
      throw e.failure();
    }
  }

  @Override
  public Put put(String sagaId, Signal signal, Instant at) {
    return inbox.put(sagaId, signal, at);
  }

  @Override
  public List<InboxItem> pending(int node, int limit) {
    return inbox.pending(node, limit);
  }

  @Override
  public Optional<String> verdict(String source, String externalId) {
    return inbox.verdict(source, externalId);
  }

  @Override
  public Optional<SagaRow> find(String id) {
    return archive.find(id);
  }

  @Override
  public List<HistoryLine> history(String id) {
    return archive.history(id);
  }

  @Override
  public Map<String, Status> ended(Collection<String> ids) {
    return archive.ended(ids);
  }

  @Override
  public List<SagaRow> overdue(Instant since, int limit) {
    return archive.overdue(since, limit);
  }

  @Override
  public int purgeEnded(Instant before, int limit) {
    return archive.purgeEnded(before, limit);
  }

  @Override
  public int purgeInbox(Instant before, int limit) {
    return inbox.purge(before, limit);
  }

  @Override
  public void close() {
    database.close();
  }
}
