package dev.tuntas.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

import dev.tuntas.bench.http.HttpBench;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

/// The benchmarks themselves work, with everything that they can be asked for. Their figures are
/// not looked at, so they may disturb each other, but nobody else.
@Isolated
class BenchesIT {

  @TempDir private Path folder;

  /// In one test, because those of a class that is isolated run one after the other.
  @Test
  void they_print_what_they_measured() {
    try (var threads = Executors.newThreadPerTaskExecutor(Executors.defaultThreadFactory())) {
      var benches =
          Stream.<Runnable>of(
                  this::the_engine_on_sqlite_with_full_tables,
                  this::the_engine_on_postgres_with_full_tables_beside_its_peers,
                  this::the_server_on_postgres)
              .map(bench -> CompletableFuture.runAsync(bench, threads))
              .toList();
      assertAll(benches.stream().map(bench -> bench::join));
    }
    assertThat(folder).isEmptyDirectory();
  }

  private void the_engine_on_sqlite_with_full_tables() {
    assertThat(engine("sqlite")).doesNotContain("dbos");
  }

  private void the_engine_on_postgres_with_full_tables_beside_its_peers() {
    assertThat(engine("postgres", "--peers"))
        .contains("\"dbos_sagas_per_second\":", "\"db_scheduler_sagas_per_second\":");
  }

  private void the_server_on_postgres() {
    var json = JsonMapper.shared().readTree(lastLine(new HttpBench(), "--store", "postgres"));
    assertThat(json.get("store").stringValue()).isEqualTo("postgres");
    assertThat(json.get("accepted_per_second").asDouble()).isPositive();
    assertThat(json.get("p50_ms").asDouble()).isPositive();
    assertThat(json.get("goodput").propertyNames()).containsExactly("0.5", "1", "2", "5", "10");
  }

  private String engine(String store, String... more) {
    var arguments = Stream.of("--store", store, "--preload", "1000", "--waiting", "100");
    var last =
        lastLine(
            new EngineBench(), Stream.concat(arguments, Stream.of(more)).toArray(String[]::new));
    assertThat(last)
        .startsWith("{\"store\":\"" + store + "\",\"sagas_per_second\":")
        .contains("\"ratio_to_single_commit\":", "\"targets\":")
        .endsWith("}");
    return last;
  }

  /// Of what a short run prints.
  private String lastLine(Object bench, String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    var all =
        Stream.concat(
            Stream.of("--seconds", "1", "--data", folder.toString()), Stream.of(arguments));
    int exit =
        new CommandLine(bench)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(all.toArray(String[]::new));
    assertThat(err.toString()).isEmpty();
    assertThat(exit).isZero();
    return out.toString().lines().reduce((_, line) -> line).orElseThrow();
  }
}
