package dev.tuntas.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A wire to a server that can be cut so that requests still arrive and answers do not.
final class CutWire implements AutoCloseable {

  private final ServerSocket listener;
  private final int serverPort;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile boolean answersLost;

  CutWire(int serverPort) throws IOException {
    this.serverPort = serverPort;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /// From now on an answer closes the connection instead of arriving.
  void loseAnswers() {
    answersLost = true;
  }

  void repair() {
    answersLost = false;
  }

  private void accept() {
    try {
      while (true) {
        var client = listener.accept();
        var server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        sockets.addAll(List.of(client, server));
        Thread.startVirtualThread(() -> copy(client, server, false));
        Thread.startVirtualThread(() -> copy(server, client, true));
      }
    } catch (IOException closed) {
      // the test is over
    }
  }

  private void copy(Socket from, Socket to, boolean answers) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      var buffer = new byte[64 * 1024];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (answers && answersLost) return;
        out.write(buffer, 0, n);
      }
    } catch (IOException closed) {
      // one side hung up
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (var socket : sockets) socket.close();
  }
}
