package dev.tuntas.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.bench.Workplace;
import dev.tuntas.bench.server.ServerProcess;
import dev.tuntas.bench.server.ServerProgram;
import dev.tuntas.bench.verify.VerifyCommand;
import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.Snapshot;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import picocli.CommandLine;

/// Verification of a server on PostgreSQL, which is running.
@Execution(ExecutionMode.CONCURRENT)
class PostgresVerifyIT {

  private static final String KEY = "a-client-key-for-a-test";

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void it_finds_everything_in_order_beside_the_server_and_damage_afterwards() throws Exception {
    try (var workplace = Workplace.open(folder, true, null, Duration.ZERO)) {
      var url = workplace.postgres().url();
      assertThat(verify(url)).isEqualTo(1);
      assertThat(err.toString()).contains("the database is not one of Tuntas");

      try (var server = start(url)) {
        var orders = Orders.checkouts(server.await(Duration.ofMinutes(3)), KEY);
        var tally = ClosedLoop.run(orders, 8, Duration.ofSeconds(1));
        assertThat(tally.accepted()).isPositive();
        assertThat(verify(url)).as(out.toString()).isZero();
        var settings = PostgresSettings.of(url, "postgres", null);
        new Backlog(() -> Snapshot.ofSagas(settings)).drain(Duration.ofSeconds(20));
        assertThat(server.stop()).isTrue();
      }
      run(url, "delete from payment.journal where no = (select max(no) from payment.journal)");
      assertThat(verify(url)).isEqualTo(1);
      assertThat(out.toString()).contains("FAIL M8", "has debits and credits that differ");
    }
  }

  private ServerProcess start(String url) {
    return ServerProcess.start(
        ServerProgram.installed().shortLived(),
        folder.resolve("server.log"),
        List.of(
            "--data",
            folder.resolve("data").toString(),
            "--tuntas.credentials.client-key=" + KEY,
            "--tuntas.database.url=" + url,
            "--tuntas.database.user=postgres"));
  }

  private int verify(String url) {
    return new CommandLine(new VerifyCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute("--url", url, "--user", "postgres");
  }

  private static void run(String url, String sql) throws Exception {
    try (var connection = DriverManager.getConnection(url, "postgres", "");
        var statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql)).isEqualTo(1);
    }
  }
}
