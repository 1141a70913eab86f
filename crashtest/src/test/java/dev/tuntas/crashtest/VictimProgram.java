package dev.tuntas.crashtest;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// How [Victim] is started on one store. A rehearsal leaves a cache of its classes behind, with
/// which the others take half as long to be ready: they are to die at work, not while they start.
final class VictimProgram implements AutoCloseable {

  private final String store;
  private final int ledger;
  private final Path folder;
  private final List<VictimProcess> started = new ArrayList<>();

  /// @param folder for the cache, and for what they complain about
  VictimProgram(String store, int ledger, Path folder) {
    this.store = store;
    this.ledger = ledger;
    this.folder = folder;
  }

  VictimProcess rehearse(String prefix) throws IOException {
    return start("-XX:AOTCacheOutput=" + cache(), prefix, true);
  }

  VictimProcess start(String prefix) throws IOException {
    return start("-XX:AOTCache=" + cache(), prefix, true);
  }

  /// One that only finishes what others began.
  VictimProcess startLast() throws IOException {
    return start("-XX:AOTCache=" + cache(), "none", false);
  }

  private Path cache() {
    return folder.resolve("victim.aot");
  }

  private VictimProcess start(String caching, String prefix, boolean starts) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", caching));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Dorg.sqlite.tmpdir=" + folder);
    command.addAll(List.of("-cp", classPath(), Victim.class.getName()));
    command.addAll(List.of(store, Integer.toString(ledger), prefix, Boolean.toString(starts)));
    var process = new VictimProcess(command, folder.resolve("victims.log"));
    started.add(process);
    return process;
  }

  /// Whoever still runs, because a test failed, is not left to burden the others.
  @Override
  public void close() throws InterruptedException {
    for (var process : started) process.kill();
  }

  /// Without the tests: a cache is made of jars only.
  private static String classPath() {
    var all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Arrays.stream(all.split(File.pathSeparator))
        .filter(part -> !part.endsWith("test-classes"))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
