package dev.tuntas.store;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.jspecify.annotations.Nullable;

/// Brings the tables to this program's version, or refuses without touching anything.
final class Schema {

  /// Which tables.
  ///
  /// @param location where their migrations are
  /// @param history the table that remembers which of them were made
  /// @param prefix what the names of all tables begin with that can only be ours
  /// @param tables those that must be there afterwards
  record Wanted(String location, String history, String prefix, Set<String> tables) {

    /// The engine's own.
    static Wanted sagas(Dialect dialect) {
      return new Wanted(
          "dev/tuntas/store/" + dialect.name().toLowerCase(Locale.ROOT),
          "tuntas_schema_history",
          "tuntas",
          Set.of(
              "tuntas_schema_history",
              "tuntas_node",
              "tuntas_definition",
              "tuntas_lane",
              "tuntas_saga",
              "tuntas_history",
              "tuntas_story",
              "tuntas_outbox",
              "tuntas_signal",
              "tuntas_consumer_inbox"));
    }

    /// Those of a service, which has its file or schema for itself.
    static Wanted alone(TableSet set) {
      return new Wanted(set.location(), "schema_history", "", Set.of("schema_history"));
    }

    /// Those of an application beside the engine's.
    static Wanted beside(TableSet set) {
      var history = set.name() + "_schema_history";
      return new Wanted(set.location(), history, set.name() + "_", Set.of(history));
    }
  }

  private static final String[] TYPES = {"TABLE", "PARTITIONED TABLE", "FOREIGN TABLE", "VIEW"};

  private final DataSource source;
  private final Dialect dialect;
  private final Wanted wanted;
  private final Flyway flyway;

  Schema(DataSource source, Dialect dialect, Wanted wanted) {
    this.source = source;
    this.dialect = dialect;
    this.wanted = wanted;
    this.flyway =
        Flyway.configure(Schema.class.getClassLoader())
            .dataSource(source)
            .locations("classpath:" + wanted.location)
            .table(wanted.history)
            .placeholders(dialect.placeholders())
            // The host application's own tables are no reason to refuse.
            .baselineOnMigrate(true)
            .baselineVersion("0")
            .cleanDisabled(true)
            .load();
  }

  /// Refuses a database that was not made by this program at all.
  void requireOurs() throws SQLException {
    if (!tables().contains(wanted.history)) throw unusable("Tuntas did not make it", null);
  }

  void migrate() throws SQLException {
    var found = tables();
    refuseForeign(found);
    try {
      refuseNewer();
      bringEarlierFormsUpToDate();
      if (found.isEmpty()) makeTables();
      else flyway.migrate();
    } catch (FlywayException e) {
      if (e.getCause() instanceof SQLException cause) throw cause;
      throw unusable("the schema cannot be brought up to date: " + e.getMessage(), e);
    }
    requireAllTables();
  }

  /// A migration never changes once it was used (MigrationsTest). Some did before that rule: tables
  /// that an earlier form made are brought to what the migration makes now, by the script for that
  /// form. The same transaction notes it, so that it is done once.
  private void bringEarlierFormsUpToDate() throws SQLException {
    for (var made : flyway.info().applied()) {
      var was = made.getAppliedChecksum();
      var is = made.getResolvedChecksum();
      if (was == null || is == null || was.equals(is)) continue;
      var name = "from-" + made.getScript().replaceFirst("sql$", "") + was + ".sql";
      var script = dialect.script(wanted.location + "/earlier/" + name);
      if (script == null) {
        throw unusable(
            "its tables were made by a build with another %s (%d) that is not known here: open it with that build"
                .formatted(made.getScript(), was),
            null);
      }
      bringUpToDate(script, made.getVersion().getVersion(), was, is);
    }
  }

  private void bringUpToDate(String script, String version, int was, int is) throws SQLException {
    try (var connection = source.getConnection();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      int noted =
          statement.executeUpdate(
              "update %s set checksum = %d where version = '%s' and checksum = %d"
                  .formatted(wanted.history, is, version, was));
      if (noted == 1) statement.executeUpdate(script); // else another process did it
      connection.commit();
    }
  }

  /// Another process may do so at the same time. If it begins between two looks of Flyway, that
  /// takes the other's tables for those of an application, and refuses.
  private void makeTables() throws SQLException {
    try {
      flyway.migrate();
    } catch (FlywayException e) {
      if (!tables().contains(wanted.history)) throw e;
      flyway.migrate();
    }
  }

  private void refuseForeign(Set<String> found) {
    if (!found.isEmpty() && !found.contains(wanted.history)) {
      throw unusable("it has tables " + found + " that Tuntas did not make", null);
    }
  }

  private void requireAllTables() throws SQLException {
    var missing = new TreeSet<>(wanted.tables);
    missing.removeAll(tables());
    if (!missing.isEmpty()) throw unusable("tables are missing: " + missing, null);
  }

  private void refuseNewer() {
    for (var applied : flyway.info().all()) {
      var state = applied.getState();
      if (state.name().startsWith("FUTURE")) {
        throw unusable(
            "its schema is at version " + applied.getVersion() + ", this program knows " + newest(),
            null);
      }
      if (state.isFailed()) {
        throw unusable(
            "the migration to version " + applied.getVersion() + " failed half-way", null);
      }
    }
  }

  private String newest() {
    return Arrays.stream(flyway.info().all())
        .filter(migration -> migration.getState().isResolved())
        .map(MigrationInfo::getVersion)
        .reduce((_, last) -> last)
        .map(Object::toString)
        .orElse("none");
  }

  /// All tables and views that have our prefix.
  private Set<String> tables() throws SQLException {
    var names = new TreeSet<String>();
    try (var connection = source.getConnection();
        var tables =
            connection
                .getMetaData()
                .getTables(null, connection.getSchema(), wanted.prefix + "%", TYPES)) {
      while (tables.next()) names.add(tables.getString("TABLE_NAME"));
    }
    return names;
  }

  private static StoreException unusable(String why, @Nullable Throwable cause) {
    return new StoreException(Kind.UNUSABLE, "the database cannot be used: " + why, cause);
  }
}
