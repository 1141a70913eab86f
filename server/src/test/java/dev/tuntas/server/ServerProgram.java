package dev.tuntas.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The server as a program of its own.
public final class ServerProgram {

  private ServerProgram() {}

  /// @param data where it keeps its data
  /// @param variables those of its environment, besides those of this process that are not ours
  public static ProcessBuilder process(
      Path data, Map<String, String> variables, String... arguments) {
    var command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "--data",
                data.toString()));
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command);
    process.environment().keySet().removeIf(name -> name.startsWith("TUNTAS_"));
    process.environment().putAll(variables);
    return process;
  }
}
