package dev.tuntas.bench.cluster;

import dev.tuntas.bench.server.ServerProgram;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a cluster is made of.
///
/// @param folder where everything is kept: data, logs and keys
/// @param basePort the port of the first web process, the others follow; 0 takes free ones
/// @param arguments more settings, for every process
public record ClusterSettings(
    ServerProgram program,
    Path folder,
    int web,
    int workers,
    int basePort,
    Servers servers,
    List<String> arguments) {

  /// Which servers to start and which to use.
  ///
  /// @param postgres a JDBC URL; null starts one, as with the others
  /// @param rabbitmq null means none, unless the installed one is to be started
  /// @param startRabbitmq instead of Kafka
  public record Servers(
      @Nullable String postgres,
      @Nullable String redis,
      @Nullable String kafka,
      @Nullable String rabbitmq,
      boolean withRedis,
      boolean withKafka,
      boolean startRabbitmq) {

    /// All three are started here.
    public static Servers own() {
      return new Servers(null, null, null, null, true, true, false);
    }
  }

  /// Two web processes, two workers, and one of each service, with all servers started here.
  public static ClusterSettings usual(ServerProgram program, Path folder) {
    return new ClusterSettings(program, folder, 2, 2, 0, Servers.own(), List.of());
  }

  public ClusterSettings workers(int count) {
    return new ClusterSettings(program, folder, web, count, basePort, servers, arguments);
  }

  public ClusterSettings web(int count) {
    return new ClusterSettings(program, folder, count, workers, basePort, servers, arguments);
  }

  public ClusterSettings servers(Servers others) {
    return new ClusterSettings(program, folder, web, workers, basePort, others, arguments);
  }

  public ClusterSettings with(List<String> more) {
    return new ClusterSettings(program, folder, web, workers, basePort, servers, more);
  }

  Path log(String name) {
    return folder.resolve("logs").resolve(name + ".log");
  }

  Path data(String name) {
    return folder.resolve(name);
  }
}
