package dev.tuntas.testservers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadLocalRandom;

/// Ports of this machine.
public final class Loopback {

  private static final int WITHIN_MILLIS = 200;

  /// Below what a system gives to connections that go out.
  private static final int LOWEST = 20_000;

  private static final int HIGHEST = 32_000;
  private static final int DRAWS_MAX = 1_000;

  private Loopback() {}

  /// Nobody listens there now, and with some luck nobody will before the caller does.
  public static int freePort() {
    var random = ThreadLocalRandom.current();
    for (int draw = 0; draw < DRAWS_MAX; draw++) {
      int port = random.nextInt(LOWEST, HIGHEST);
      if (isFree(port)) return port;
    }
    throw new IllegalStateException("no free port");
  }

  private static boolean isFree(int port) {
    try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  public static boolean answers(int port) {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), WITHIN_MILLIS);
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
