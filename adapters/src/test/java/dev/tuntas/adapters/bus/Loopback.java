package dev.tuntas.adapters.bus;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/// Ports of this machine, for brokers of tests.
final class Loopback {

  private static final int WITHIN_MILLIS = 200;

  private Loopback() {}

  static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  static boolean answers(int port) {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), WITHIN_MILLIS);
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
