package dev.tuntas.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/// Ports of this machine.
public final class Loopback {

  private static final int WITHIN_MILLIS = 200;

  private Loopback() {}

  /// Nobody listens there now, and with some luck nobody will before the caller does.
  public static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
