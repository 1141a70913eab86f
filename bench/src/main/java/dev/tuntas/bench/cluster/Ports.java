package dev.tuntas.bench.cluster;

import dev.tuntas.bench.BenchException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/// Free ports of this machine. They are below those that the system gives to outgoing connections,
/// so that a server that is killed finds its port free when it comes back.
public final class Ports {

  private static final int LEAST = 18_000;
  private static final int MOST = 31_000;
  private static final int ATTEMPTS = 1_000;

  private final RandomGenerator random = RandomGenerator.getDefault();
  private final Set<Integer> taken = new HashSet<>();

  /// One that is free and that this object has not given out before.
  public int free() {
    for (int i = 0; i < ATTEMPTS; i++) {
      int port = random.nextInt(LEAST, MOST);
      if (isFree(port) && taken.add(port)) return port;
    }
    throw new BenchException("no port between " + LEAST + " and " + MOST + " is free");
  }

  /// That one, if it is free.
  int wanted(int port) {
    if (!isFree(port) || !taken.add(port)) {
      throw new BenchException("port " + port + " is in use: choose another one with --port");
    }
    return port;
  }

  private static boolean isFree(int port) {
    try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
