package dev.tuntas.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// The benchmark itself works, with everything that it can be asked for; its figures are not looked
/// at.
class EngineBenchIT {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  @Test
  void measures_sqlite_with_full_tables() {
    assertThat(measured("sqlite")).doesNotContain("dbos");
  }

  @Test
  void measures_postgres_with_full_tables_beside_its_peers() {
    assertThat(measured("postgres", "--peers"))
        .contains("\"dbos_sagas_per_second\":", "\"db_scheduler_sagas_per_second\":");
  }

  /// The last line of what a short run prints.
  private String measured(String store, String... more) {
    var arguments =
        Stream.concat(
            Stream.of("--store", store, "--data", folder.toString(), "--seconds", "1"),
            Stream.concat(Stream.of("--preload", "1000", "--waiting", "100"), Stream.of(more)));
    int exit =
        new CommandLine(new EngineBench())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments.toArray(String[]::new));
    assertThat(err.toString()).isEmpty();
    assertThat(exit).isZero();
    assertThat(folder).isEmptyDirectory();
    var last = out.toString().lines().reduce((_, line) -> line).orElseThrow();
    assertThat(last)
        .startsWith("{\"store\":\"" + store + "\",\"sagas_per_second\":")
        .contains("\"ratio_to_single_commit\":", "\"targets\":")
        .endsWith("}");
    return last;
  }
}
