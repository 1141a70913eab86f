package dev.tuntas.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.PATH;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program as a process: how it starts, how it refuses to, how it ends.
final class StartIT {

  @TempDir Path folder;

  @Test
  void a_wrong_setting_ends_the_start_with_one_line() throws Exception {
    var ended = run(Map.of("TUNTAS_SAGA_GIVE_UP", "soon"));
    assertThat(ended.code).isEqualTo(1);
    assertThat(ended.out).isEmpty();
    assertThat(ended.err)
        .containsExactly(
            "tuntas: tuntas.saga.give-up is 'soon', which is not a duration such as 500ms, 30s, 5m"
                + " or 24h");
  }

  @Test
  void a_secret_of_the_sample_ends_the_start_with_one_line() throws Exception {
    var ended = run(Map.of("TUNTAS_ADMIN_KEY", "replace-me-3"), "--port", "0");
    assertThat(ended.code).isEqualTo(1);
    assertThat(ended.out).isEmpty();
    assertThat(ended.err)
        .containsExactly(
            "tuntas: TUNTAS_ADMIN_KEY still has the value of a sample, which everybody knows; draw"
                + " one of your own, as with: openssl rand -hex 24");
    assertThat(folder.resolve("data/orders")).doesNotExist();
  }

  @Test
  void a_port_in_use_ends_the_start_with_one_line() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var ended = run(Map.of(), "--port", Integer.toString(taken.getLocalPort()));
      assertThat(ended.code).isEqualTo(1);
      assertThat(ended.err)
          .containsExactly(
              "tuntas: port " + taken.getLocalPort() + " is in use; --port N takes another");
    }
  }

  @Test
  void it_starts_keeps_its_folder_to_itself_and_stops_when_told() throws Exception {
    var first = process(Map.of(), "--port", "0").start();
    try (var out = first.inputReader()) {
      var curl = out.lines().filter(line -> line.startsWith("curl ")).findFirst();
      assertThat(curl)
          .hasValueSatisfying(line -> assertThat(line).contains("/api/v1/orders", "SKU-1", "tk_"));

      var second = run(Map.of(), "--port", "0");
      assertThat(second.code).isEqualTo(1);
      assertThat(second.err)
          .containsExactly(
              "tuntas: " + folder.resolve("data/orders") + " is in use by another process");

      first.destroy(); // as Ctrl-C does, it asks
      assertThat(first.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(first.exitValue()).isEqualTo(143);
    } finally {
      first.destroyForcibly();
    }
    assertThat(folder.resolve("data/audit-heads.log")).isNotEmptyFile();
  }

  @Test
  void what_a_killed_process_left_behind_is_removed_by_the_next() throws Exception {
    var temporary = Files.createDirectory(folder.resolve("temporary"));
    var variables = Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + temporary);
    for (boolean isKilled : new boolean[] {true, false}) {
      var process = process(variables, "--port", "0").start();
      try (var out = process.inputReader()) {
        assertThat(out.lines().filter(line -> line.startsWith("curl ")).findFirst()).isPresent();
        try (var left = Files.list(temporary)) {
          assertThat(left).singleElement(PATH).asString().contains("tuntas-scratch-");
        }
        if (isKilled) process.destroyForcibly();
        else process.destroy();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      } finally {
        process.destroyForcibly();
      }
    }
    assertThat(temporary).isEmptyDirectory();
  }

  private record Ended(int code, List<String> out, List<String> err) {}

  private Ended run(Map<String, String> variables, String... arguments) throws Exception {
    var process =
        process(variables, arguments).redirectOutput(folder.resolve("out").toFile()).start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return new Ended(
          process.exitValue(),
          Files.readAllLines(folder.resolve("out")),
          Files.readAllLines(folder.resolve("err")));
    } finally {
      process.destroyForcibly();
    }
  }

  private ProcessBuilder process(Map<String, String> variables, String... arguments) {
    return ServerProgram.process(folder.resolve("data"), variables, arguments)
        .redirectError(folder.resolve("err").toFile());
  }
}
