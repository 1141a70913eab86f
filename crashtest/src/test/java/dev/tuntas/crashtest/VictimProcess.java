package dev.tuntas.crashtest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A real JVM that runs [Victim], and can be killed.
final class VictimProcess {

  private final Process process;
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final CountDownLatch ready = new CountDownLatch(1);
  private final CountDownLatch working = new CountDownLatch(1);
  private final Thread reader;

  VictimProcess(List<String> command, Path log) throws IOException {
    process = new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile())).start();
    reader = Thread.ofVirtual().start(this::read);
  }

  private void read() {
    try (var lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.equals("READY")) ready.countDown();
        if (line.startsWith("ACK ") && acknowledged.add(line.substring(4))) working.countDown();
      }
    } catch (IOException killed) {
      // as intended
    }
  }

  void awaitReady() throws InterruptedException {
    await(ready);
  }

  /// Until it has acknowledged something.
  void awaitWorking() throws InterruptedException {
    await(working);
  }

  private void await(CountDownLatch latch) throws InterruptedException {
    long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!latch.await(100, TimeUnit.MILLISECONDS)) {
      if (!process.isAlive() || System.nanoTime() > until) {
        throw new AssertionError("it did not start: " + process);
      }
    }
  }

  /// `kill -9`; what it had acknowledged is known when this returns.
  void kill() throws InterruptedException {
    process.toHandle().destroyForcibly(); // the process's own would close what it said
    process.waitFor();
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
