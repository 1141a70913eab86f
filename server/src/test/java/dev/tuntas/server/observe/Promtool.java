package dev.tuntas.server.observe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Prometheus's own tool, where it is installed.
final class Promtool {

  private Promtool() {}

  /// Runs it and expects success; where it is not installed, the test is skipped.
  static void run(Path output, String... arguments) throws Exception {
    assumeTrue(
        isInstalled(),
        "promtool is not installed here (Debian: apt-get install prometheus), so that what only it"
            + " can judge was not checked");
    var command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(arguments));
    var process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(60, TimeUnit.SECONDS);
    if (!ended) process.destroyForcibly();
    assertThat(ended).as("promtool ends").isTrue();
    assertThat(process.exitValue()).as(Files.readString(output, UTF_8)).isZero();
  }

  private static boolean isInstalled() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool")));
  }
}
