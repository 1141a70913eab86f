package dev.tuntas.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.testservers.TestPostgres;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How many connections to PostgreSQL a process opens when it starts: those that its role uses, as
/// docs/cluster.md tells, and some more that others may need for a moment.
final class ConnectionsIT {

  private static final Map<String, Integer> MOST =
      Map.of("simulator", 5, "inventory", 5, "payment", 5, "cart", 5, "worker", 8, "web", 8);

  @TempDir Path folder;
  private final List<TestServer> started = new ArrayList<>();

  @AfterEach
  void stop() {
    started.reversed().forEach(TestServer::stop);
  }

  @Test
  void a_process_opens_what_its_role_uses() throws SQLException {
    var database = TestPostgres.newDatabase();
    var opened = new TreeMap<String, Integer>();
    for (var role : List.of("simulator", "inventory", "payment", "cart", "worker", "web")) {
      int before = connections(database);
      start(role, database);
      opened.put(role, connections(database) - before);
    }
    assertThat(opened).allSatisfy((role, n) -> assertThat(n).isLessThanOrEqualTo(MOST.get(role)));
  }

  private void start(String role, String database) {
    var words = new ArrayList<String>();
    words.add("--tuntas.roles=" + role);
    words.add("--tuntas.database.url=" + database);
    words.add("--tuntas.credentials.client-key=" + TestServer.CLIENT_KEY);
    words.add("--tuntas.credentials.admin-key=" + TestServer.ADMIN_KEY);
    words.add("--tuntas.credentials.service-key=" + TestServer.SERVICE_KEY);
    words.add("--tuntas.partners.bbd.credential=" + TestServer.PARTNER_KEY);
    if (role.equals("payment"))
      words.add("--tuntas.partners.bank.url=" + started.getFirst().url(""));
    if (role.equals("web") || role.equals("worker")) {
      for (var partner : List.of("inventory", "payment", "cart")) {
        words.add("--tuntas.partners." + partner + ".url=" + started.getFirst().url(""));
      }
      words.add("--tuntas.partners.bbd.url=" + started.getFirst().url("/partner/bbd"));
    }
    started.add(TestServer.start(folder.resolve(role), words.toArray(String[]::new)));
  }

  private static int connections(String url) throws SQLException {
    try (var connection = TestPostgres.connect(url);
        var statement = connection.createStatement();
        var row =
            statement.executeQuery(
                "select count(*) from pg_stat_activity"
                    + " where datname = current_database() and application_name like 'tuntas%'")) {
      row.next();
      return row.getInt(1);
    }
  }
}
