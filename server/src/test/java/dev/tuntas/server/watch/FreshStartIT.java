package dev.tuntas.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FreshStartIT {

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void it_ends_with_a_code_of_its_own_even_if_it_cannot_be_closed(boolean hangs) throws Exception {
    var out = folder.resolve("out");
    var process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:TieredStopAtLevel=1",
                "-Dhangs=" + hangs,
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
      assertThat(process.exitValue()).as(Files.readString(out)).isEqualTo(FreshStart.EXIT_CODE);
    } finally {
      process.destroyForcibly();
    }
  }
}
