package dev.tuntas.bench.http;

import dev.tuntas.bench.server.ServerProcess;

/// Who uses the processors: the server, or the one who measures it.
final class Cpu {

  /// In seconds of one processor.
  record Used(double server, double load) {

    Used since(Used before) {
      return new Used(server - before.server, load - before.load);
    }

    Used plus(Used other) {
      return new Used(server + other.server, load + other.load);
    }

    /// How many processors that was, on average.
    Used per(double seconds) {
      return new Used(server / seconds, load / seconds);
    }
  }

  private final ServerProcess server;

  Cpu(ServerProcess server) {
    this.server = server;
  }

  Used now() {
    var own = ProcessHandle.current().info().totalCpuDuration();
    return new Used(
        server.cpu().toNanos() / 1e9, own.map(time -> time.toNanos() / 1e9).orElse(Double.NaN));
  }
}
