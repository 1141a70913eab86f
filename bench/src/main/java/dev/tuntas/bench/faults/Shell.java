package dev.tuntas.bench.faults;

import dev.tuntas.bench.BenchException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Commands of the system that a fault needs.
final class Shell {

  private Shell() {}

  static void run(String... command) throws IOException, InterruptedException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new BenchException(String.join(" ", command) + " failed: " + said.strip());
    }
  }

  static boolean has(String program) {
    var path = System.getenv().getOrDefault("PATH", "").split(":");
    return List.of(path).stream().anyMatch(at -> Files.isExecutable(Path.of(at, program)));
  }

  static boolean isRoot() {
    return ProcessHandle.current().info().user().orElse("").equals("root");
  }
}
