package dev.tuntas.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.bench.Progress;
import dev.tuntas.bench.StoreKind;
import dev.tuntas.bench.faults.FaultResult.Books;
import dev.tuntas.bench.server.ServerProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// One fault from beginning to end, and that what is wrong is found.
@Execution(ExecutionMode.CONCURRENT)
class FaultsIT {

  private static final String CONFIRMED =
      "(select max(id) from orders_order where status = 'CONFIRMED')";

  /// For what comes to pass.
  private static final Duration PATIENT = Duration.ofMinutes(1);

  /// For what never does.
  private static final Duration IMPATIENT = Duration.ofSeconds(5);

  @TempDir private Path folder;

  private FaultResult run(Fault fault, Duration patience) throws InterruptedException {
    var settings =
        new FaultRun.Settings(ServerProgram.installed(), 4, 7, patience, patience, patience);
    try (var progress = Progress.onTerminal()) {
      return new FaultRun(fault, StoreKind.SQLITE, settings, folder.resolve("run"), progress).run();
    }
  }

  /// One of a second.
  private abstract static class Short implements Fault {

    @Override
    public String name() {
      return "short";
    }

    @Override
    public String what() {
      return "something happens";
    }

    @Override
    public Duration lasts() {
      return Duration.ofSeconds(1);
    }
  }

  @Test
  void a_server_that_stood_still_for_a_second_goes_on() throws InterruptedException {
    var result =
        run(
            new Short() {
              @Override
              public void inject(Rig rig) throws IOException, InterruptedException {
                Shell.run("kill", "-STOP", Long.toString(rig.server().handle().pid()));
              }

              @Override
              public void heal(Rig rig) throws IOException, InterruptedException {
                Shell.run("kill", "-CONT", Long.toString(rig.server().handle().pid()));
              }
            },
            PATIENT);

    assertThat(result.wrong()).isEmpty();
    assertThat(result.isFine()).isTrue();
    assertThat(result.books().orders()).isPositive();
    assertThat(result.seen().hundreds(2)).isPositive();
  }

  /// The bank never comes back, and an order is deleted behind the server's back.
  @Test
  void what_is_stuck_and_what_is_lost_is_found() throws InterruptedException {
    var result =
        run(
            new Short() {
              @Override
              public void inject(Rig rig) throws IOException, InterruptedException {
                Admin.of(rig).put("/sim/bank", "{\"down\":true}");
              }

              @Override
              public void heal(Rig rig) throws SQLException {
                var file = rig.data().resolve("orders/tuntas.db");
                try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                    var statement = connection.createStatement()) {
                  statement.execute("pragma busy_timeout = 10000");
                  statement.execute("delete from tuntas_saga where id = " + CONFIRMED);
                  statement.execute("delete from orders_order where id = " + CONFIRMED);
                }
              }
            },
            IMPATIENT);

    assertThat(result.recoverySeconds()).isEmpty();
    assertThat(result.books().lost()).isEqualTo(1);
    assertThat(result.books().stuck()).isPositive();
    assertThat(result.isFine()).isFalse();
    assertThat(result.wrong()).contains("Orders did not move again.");
  }

  @Test
  void a_fault_that_cannot_be_made_is_reported_and_not_passed() throws InterruptedException {
    var result =
        run(
            new Short() {
              @Override
              public void prepare(Rig rig) throws IOException {
                throw new IOException("there is no such disk");
              }
            },
            IMPATIENT);

    assertThat(result.isFine()).isFalse();
    assertThat(result.wrong()).anyMatch(sentence -> sentence.contains("there is no such disk"));
    assertThat(result.books()).isEqualTo(Books.NONE);
  }
}
