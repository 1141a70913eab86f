package dev.tuntas.bench.server;

import dev.tuntas.bench.BenchException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The server's program, and how it is started.
public record ServerProgram(List<String> command) {

  /// Where `./tuntas` says that the program is.
  private static final String PLACE = "tuntas.server";

  /// A process that is killed every few seconds never earns what the second compiler costs, and on
  /// two cores that compiler would be in its way.
  private static final List<String> SHORT_LIVED =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  public ServerProgram {
    command = List.copyOf(command);
  }

  /// The one that `./tuntas` has built.
  public static ServerProgram installed() {
    var place = System.getProperty(PLACE);
    if (place == null) throw new BenchException("the server was not built: use ./tuntas");
    return in(Path.of(place));
  }

  /// One that was laid out in a folder: its jar, and what makes it start quickly, if that is there.
  public static ServerProgram in(Path folder) {
    var jar = folder.resolve("tuntas.jar");
    if (!Files.isRegularFile(jar)) {
      throw new BenchException("there is no server in " + folder + ": build it first");
    }
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    var archive = folder.resolve("tuntas.jsa");
    if (Files.isRegularFile(archive)) command.add("-XX:SharedArchiveFile=" + archive);
    command.add("-Xlog:disable");
    command.add("-jar");
    command.add(jar.toString());
    return new ServerProgram(command);
  }

  /// For a life of seconds.
  public ServerProgram shortLived() {
    return with(SHORT_LIVED);
  }

  /// With more options for the JVM.
  public ServerProgram with(List<String> options) {
    var longer = new ArrayList<>(command);
    longer.addAll(longer.indexOf("-jar"), options);
    return new ServerProgram(longer);
  }
}
