package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Somebody has locked tables as a whole, as `vacuum full` and `alter table` do, and does not come
/// to an end.
final class TablesLocked implements Fault {

  private static final String SAGAS = "select 'public.tuntas_saga'";
  private static final String ALL =
      "select schemaname || '.' || tablename from pg_tables"
          + " where schemaname not in ('pg_catalog', 'information_schema') order by 1";

  /// If two wait for each other, the server is the one that gives in.
  private static final String STUBBORN = "set deadlock_timeout = '1min'";

  private final String name;
  private final String what;
  private final String which;
  private @Nullable Connection other;

  private TablesLocked(String name, String what, String which) {
    this.name = name;
    this.what = what;
    this.which = which;
  }

  static List<Fault> both() {
    return List.of(
        new TablesLocked("table-locked", "somebody has locked the table of sagas", SAGAS),
        new TablesLocked("all-tables-locked", "somebody has locked every table", ALL));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String what() {
    return what;
  }

  @Override
  public Set<StoreKind> stores() {
    return Set.of(StoreKind.POSTGRES);
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(15);
  }

  @Override
  public boolean isSeen() {
    return true;
  }

  @Override
  public void inject(Rig rig) throws SQLException {
    var connection = DriverManager.getConnection(rig.database());
    other = connection;
    try (var statement = connection.createStatement()) {
      statement.execute(STUBBORN);
      var tables = new ArrayList<String>();
      try (var rows = statement.executeQuery(which)) {
        while (rows.next()) tables.add(rows.getString(1));
      }
      connection.setAutoCommit(false);
      for (var table : tables) {
        statement.execute("lock table " + table + " in access exclusive mode");
      }
    }
  }

  @Override
  public void heal(Rig rig) throws SQLException {
    if (other != null) other.close();
  }
}
