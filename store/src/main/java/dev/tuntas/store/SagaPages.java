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

  private SagaPages() {}

  /// The next ones by their id.
  public static List<SagaRow> after(Session session, String id, int limit) throws SQLException {
    return session.list(AFTER, SagaRows::read, id, limit);
  }

  /// Those of these that there are.
  public static List<SagaRow> of(Session session, Collection<String> ids) throws SQLException {
    return ids.isEmpty() ? List.of() : session.list(OF, SagaRows::read, ids);
  }
}
