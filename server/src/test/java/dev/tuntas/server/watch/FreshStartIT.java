package dev.tuntas.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FreshStartIT {

  @TempDir Path folder;

  private void runs(int restarts, int exitCode) throws Exception {
    var out = folder.resolve("out");
    var process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:TieredStopAtLevel=1",
                "-Ddev.tuntas.restarts=" + restarts,
                "-cp",
                System.getProperty("java.class.path"),
                FreshStartProgram.class.getName(),
                "--tuntas.port=0",
                "--tuntas.data=" + folder.resolve("data"))
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(out)).isEqualTo(exitCode);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void who_has_a_supervisor_ends_with_a_code_of_its_own() throws Exception {
    runs(0, FreshStart.EXIT_CODE);
  }

  @Test
  void who_has_none_starts_again_with_the_same_data() throws Exception {
    runs(1, FreshStartProgram.RAN_TWICE);
  }
}
