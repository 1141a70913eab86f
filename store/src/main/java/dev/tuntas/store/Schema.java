package dev.tuntas.store;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import java.sql.Connection;
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

  private static final String HISTORY = "tuntas_schema_history";

  private final DataSource source;
  private final Flyway flyway;

  Schema(DataSource source, Dialect dialect) {
    this.source = source;
    this.flyway =
        Flyway.configure(Schema.class.getClassLoader())
            .dataSource(source)
            .locations("classpath:dev/tuntas/store/" + dialect.name().toLowerCase(Locale.ROOT))
            .table(HISTORY)
            // The host application's own tables are no reason to refuse.
            .baselineOnMigrate(true)
            .baselineVersion("0")
            .cleanDisabled(true)
            .load();
  }

  void migrate() throws SQLException {
    refuseForeignTables();
    try {
      refuseNewer();
      flyway.migrate();
    } catch (FlywayException e) {
      if (e.getCause() instanceof SQLException cause) throw cause;
      throw unusable("the schema cannot be brought up to date: " + e.getMessage(), e);
    }
  }

  private void refuseForeignTables() throws SQLException {
    try (var connection = source.getConnection()) {
      var tables = tuntasTables(connection);
      if (!tables.isEmpty() && !tables.contains(HISTORY)) {
        throw unusable("it has tables " + tables + " that Tuntas did not make", null);
      }
    }
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

  private static Set<String> tuntasTables(Connection connection) throws SQLException {
    var names = new TreeSet<String>();
    try (var tables =
        connection.getMetaData().getTables(null, connection.getSchema(), "tuntas%", null)) {
      while (tables.next()) {
        var type = tables.getString("TABLE_TYPE");
        if (type.contains("TABLE") || type.contains("VIEW"))
          names.add(tables.getString("TABLE_NAME"));
      }
    }
    return names;
  }

  private static StoreException unusable(String why, @Nullable Throwable cause) {
    return new StoreException(Kind.UNUSABLE, "the database cannot be used: " + why, cause);
  }
}
