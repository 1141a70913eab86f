package dev.tuntas.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The server on a data folder that an older build wrote. The first migration of the orders was
/// edited after that.
final class OldDataIT {

  private static final long WRITTEN = Instant.parse("2026-11-18T12:02:00Z").toEpochMilli();

  /// Without the one that nobody will ever know the end of. Two of them were still under way.
  private static final List<String> ENDS =
      List.of("CONFIRMED", "CONFIRMED", "CONFIRMED", "CONFIRMED", "CONFIRMED", "FAILED");

  @TempDir Path folder;

  @Test
  void orders_of_an_older_build_are_there_and_go_on() throws Exception {
    unpack("/data-of-d543c47.zip");
    writtenJustNow("orders");
    var key = "--tuntas.credentials.client-key=" + TestServer.CLIENT_KEY;
    for (int start = 1; start <= 2; start++) {
      var server = TestServer.start(folder, key);
      try {
        awaitEnds(new Client(server, TestServer.CLIENT_KEY));
      } finally {
        server.stop();
      }
    }
  }

  private static void awaitEnds(Client client) {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (!statuses(client).equals(ENDS) && System.nanoTime() < end) {
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
    }
    assertThat(statuses(client)).isEqualTo(ENDS);
  }

  private static List<String> statuses(Client client) {
    return client
        .get("/api/v1/orders?customer_id=cus-1")
        .json()
        .get("items")
        .valueStream()
        .map(it -> it.get("status").stringValue())
        .filter(ENDS::contains)
        .sorted()
        .toList();
  }

  /// Moves all times, because what ended a month ago is forgotten.
  private void writtenJustNow(String service) throws SQLException {
    var url = "jdbc:sqlite:" + folder.resolve(service).resolve("tuntas.db");
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      var updates = new ArrayList<String>();
      var columns =
          "select t.name, c.name from sqlite_schema t join pragma_table_info(t.name) c"
              + " where t.type = 'table' and (c.name = 'at' or c.name like '%\\_at' escape '\\'"
              + " or c.name = 'deadline') and t.name not like '%audit%'";
      try (var rows = statement.executeQuery(columns)) {
        while (rows.next()) {
          updates.add(
              "update %1$s set %2$s = %2$s + %3$d where %2$s is not null"
                  .formatted(
                      rows.getString(1), rows.getString(2), System.currentTimeMillis() - WRITTEN));
        }
      }
      for (var update : updates) statement.executeUpdate(update);
    }
  }

  private void unpack(String resource) throws IOException {
    var packed = Objects.requireNonNull(OldDataIT.class.getResourceAsStream(resource));
    try (var zip = new ZipInputStream(packed)) {
      for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        var file = folder.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.write(file, zip.readAllBytes());
      }
    }
  }
}
