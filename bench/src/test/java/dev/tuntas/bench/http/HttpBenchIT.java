package dev.tuntas.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

/// The benchmark itself works; its figures are not looked at.
class HttpBenchIT {

  @TempDir private Path folder;

  @Test
  void measures_the_server_on_postgres() {
    var out = new StringWriter();
    var err = new StringWriter();
    System.setProperty("tuntas.server", Path.of("..", "server", "target").toString());
    int exit;
    try {
      exit =
          new CommandLine(new HttpBench())
              .setOut(new PrintWriter(out))
              .setErr(new PrintWriter(err))
              .execute("--store", "postgres", "--seconds", "1", "--data", folder.toString());
    } finally {
      System.clearProperty("tuntas.server");
    }

    assertThat(err.toString()).isEmpty();
    assertThat(exit).isZero();
    assertThat(folder).isEmptyDirectory();
    var last = out.toString().lines().reduce((_, line) -> line).orElseThrow();
    var json = JsonMapper.shared().readTree(last);
    assertThat(json.get("store").stringValue()).isEqualTo("postgres");
    assertThat(json.get("accepted_per_second").asDouble()).isPositive();
    assertThat(json.get("p50_ms").asDouble()).isPositive();
    assertThat(json.get("goodput").propertyNames()).containsExactly("0.5", "1", "2", "5", "10");
  }
}
