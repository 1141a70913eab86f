package dev.tuntas.store;

import dev.tuntas.engine.SagaStore.Shape;
import dev.tuntas.engine.SagaStore.Unknown;
import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The numbers of definitions and lanes.
final class Registry {

  private static final String ADD_DEFINITION =
      """
      insert into tuntas_definition (name, version, shape_hash) values (?, ?, ?)
      on conflict do nothing
      """;

  private static final String DEFINITION =
      "select id, shape_hash from tuntas_definition where name = ? and version = ?";

  private static final String ADD_LANE =
      "insert into tuntas_lane (name) values (?) on conflict do nothing";

  private static final String LANE = "select id from tuntas_lane where name = ?";

  private static final String UNKNOWN =
      """
      select d.name, d.version, count(*)
        from tuntas_definition d
        join (select kind from tuntas_saga where owner is not null
              union all
              select kind from tuntas_saga where due_at is not null
              union all
              select kind from tuntas_saga where status = 'H') unfinished on unfinished.kind = d.id
       where not (d.id = any (?))
       group by d.name, d.version
       order by d.name, d.version
      """;

  private final Database database;

  Registry(Database database) {
    this.database = database;
  }

  Map<Shape, Integer> register(Collection<Shape> shapes) {
    return database.transact(
        "register definitions",
        session -> {
          var numbers = new LinkedHashMap<Shape, Integer>();
          // In one order, so that two processes that start at once do not wait for each other.
          var sorted = new ArrayList<>(shapes);
          sorted.sort(Comparator.comparing(Shape::name).thenComparingInt(Shape::version));
          for (var shape : sorted) numbers.put(shape, number(session, shape));
          return numbers;
        });
  }

  private static int number(Session session, Shape shape) throws SQLException {
    session.update(ADD_DEFINITION, shape.name(), shape.version(), shape.hash());
    record Stored(int id, String hash) {}
    var stored =
        session
            .first(
                DEFINITION,
                row -> new Stored(row.getInt(1), row.getString(2)),
                shape.name(),
                shape.version())
            .orElseThrow();
    if (!stored.hash.equals(shape.hash())) {
      throw new StoreException(
          Kind.BAD_DATA,
          "saga '%s' version %d is stored with another shape: give the changed one a new version"
              .formatted(shape.name(), shape.version()),
          null);
    }
    return stored.id;
  }

  Map<String, Integer> lanes(Collection<String> names) {
    return database.transact(
        "number the lanes",
        session -> {
          var numbers = new LinkedHashMap<String, Integer>();
          for (var name : new TreeSet<>(names)) {
            session.update(ADD_LANE, name);
            numbers.put(name, session.first(LANE, row -> row.getInt(1), name).orElseThrow());
          }
          return numbers;
        });
  }

  List<Unknown> unknown(Set<Integer> kinds) {
    return database.read(
        "look for unknown definitions",
        session ->
            session.list(
                UNKNOWN,
                row -> new Unknown(row.getString(1), row.getInt(2), row.getLong(3)),
                kinds));
  }
}
