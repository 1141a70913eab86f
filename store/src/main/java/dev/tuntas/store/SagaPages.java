package dev.tuntas.store;

import dev.tuntas.engine.SagaRow;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/// Reads the rows of many sagas, for those who look at all of them.
public final class SagaPages {

  private static final String AFTER =
      "select " + SagaRows.COLUMNS + " from tuntas_saga where id > ? order by id limit ?";

  private static final String OF =
      "select " + SagaRows.COLUMNS + " from tuntas_saga where id = any (?)";

  private static final String HELD =
      "select "
          + SagaRows.COLUMNS
          + " from tuntas_saga where status = 'H' and id < ? order by id desc limit ?";

  private SagaPages() {}

  /// The next ones by their id.
  public static List<SagaRow> after(Session session, String id, int limit) throws SQLException {
    return session.list(AFTER, SagaRows::read, id, limit);
  }

  /// Those that wait for a person, by their id, backwards.
  public static List<SagaRow> held(Session session, String below, int limit) throws SQLException {
    return session.list(HELD, SagaRows::read, below, limit);
  }

  /// Those of these that there are.
  public static List<SagaRow> of(Session session, Collection<String> ids) throws SQLException {
    return ids.isEmpty() ? List.of() : session.list(OF, SagaRows::read, ids);
  }
}
