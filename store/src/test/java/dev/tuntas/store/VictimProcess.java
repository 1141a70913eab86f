package dev.tuntas.store;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A real JVM that runs [Victim], and can be killed.
final class VictimProcess {

  private final Process process;
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final CountDownLatch ready = new CountDownLatch(1);
  private final Thread reader;

  VictimProcess(String store, int ledger, String prefix, boolean starts, Path log)
      throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    process =
        new ProcessBuilder(
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-Dorg.sqlite.tmpdir=" + log.getParent(),
                "-cp",
                classPath(),
                Victim.class.getName(),
                store,
                Integer.toString(ledger),
                prefix,
                Boolean.toString(starts))
            .redirectError(Redirect.appendTo(log.toFile()))
            .start();
    reader = Thread.ofVirtual().start(this::read);
  }

  private static String classPath() {
    var tests = System.getProperty("surefire.test.class.path");
    return tests != null ? tests : System.getProperty("java.class.path") + File.pathSeparator;
  }

  private void read() {
    try (var lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.equals("READY")) ready.countDown();
        if (line.startsWith("ACK ")) acknowledged.add(line.substring(4));
      }
    } catch (IOException killed) {
      // as intended
    }
  }

  void awaitReady() throws InterruptedException {
    if (!ready.await(60, TimeUnit.SECONDS)) throw new AssertionError("it did not start");
  }

  /// `kill -9`; what it had acknowledged is known when this returns.
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
    reader.join();
  }

  /// Asks it to end.
  void stop() throws InterruptedException {
    process.destroy();
    process.waitFor();
    reader.join();
  }

  Set<String> acknowledged() {
    return acknowledged;
  }
}
