package dev.tuntas.server.watch;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What `./tuntas run` does when the server ends, in a folder where everything is built and `java`
/// is a script that notes each start.
final class RunScriptTest {

  private static final Path SCRIPT = Path.of("..", "tuntas");

  @TempDir Path root;
  private Path starts;

  @BeforeEach
  void build() throws IOException {
    starts = root.resolve("starts");
    Files.copy(SCRIPT, root.resolve("tuntas"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.createDirectories(root.resolve("server/src/main"));
    Files.createFile(root.resolve("pom.xml"));
    Files.createFile(root.resolve("server/pom.xml"));
    Files.createDirectories(root.resolve("server/target"));
    Files.createFile(root.resolve("server/target/packaged"));
  }

  /// The server is a few lines of shell; the file `starts` has a line for each time it was started.
  private Process run(String server) throws IOException {
    var bin = Files.createDirectories(root.resolve("jdk/bin"));
    Files.writeString(root.resolve("jdk/release"), "JAVA_VERSION=\"99\"\n");
    for (var program : new String[] {"java", "javac"}) {
      var file = bin.resolve(program);
      Files.writeString(file, "#!/bin/sh\necho start >> '" + starts + "'\n" + server + "\n");
      assertThat(file.toFile().setExecutable(true)).isTrue();
    }
    var builder = new ProcessBuilder(root.resolve("tuntas").toString(), "run");
    builder.environment().put("TUNTAS_JAVA_HOME", root.resolve("jdk").toString());
    return builder.inheritIO().start();
  }

  private static int end(Process process) throws InterruptedException {
    try {
      assertThat(process.waitFor(1, MINUTES)).isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  private long started() throws IOException {
    return Files.exists(starts) ? Files.readAllLines(starts).size() : 0;
  }

  @ParameterizedTest
  @CsvSource({"0,1,0", "1,1,1", "75,2,75", "137,1,137"})
  void only_who_wants_a_fresh_start_gets_one_and_gets_it_once(int code, int times, int end)
      throws Exception {
    assertThat(end(run("exit " + code))).isEqualTo(end);
    assertThat(started()).isEqualTo(times);
  }

  @Test
  void what_becomes_of_the_second_start_counts() throws Exception {
    assertThat(end(run("[ \"$(wc -l < '" + starts + "')\" -gt 1 ] || exit 75"))).isZero();
    assertThat(started()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"143", "75"})
  void who_is_asked_to_end_ends_and_is_not_started_again(int code) throws Exception {
    var waits = "trap 'exit %d' TERM; : > '%s'; while :; do :; done";
    var ready = root.resolve("ready");
    var process = run(waits.formatted(code, ready));
    await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(ready));
    process.destroy();
    assertThat(end(process)).isEqualTo(code);
    assertThat(started()).isEqualTo(1);
  }
}
