package dev.tuntas.testservers;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// A wire to a PostgreSQL that counts how often somebody waited for it: each wait ends with the
/// server's word that it is ready. (It says so after `BEGIN`, too, but the driver sends that with
/// the first statement.)
public final class CountedWire implements AutoCloseable {

  private static final int DONE = 'C';
  private static final int READY = 'Z';

  /// A length counts itself.
  private static final int LENGTH_BYTES = 4;

  private final ServerSocket listener;
  private final String url;
  private final int serverPort;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger trips = new AtomicInteger();

  /// @param url of a database on this machine
  public CountedWire(String url) {
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    serverPort = Integer.parseInt(url.replaceFirst(".*//[^/:]*:(\\d+)/.*", "$1"));
    var own = "//127.0.0.1:" + listener.getLocalPort() + "/";
    this.url = url.replaceFirst("//[^/]*/", own) + "&sslmode=disable&gssEncMode=disable";
    Thread.startVirtualThread(this::accept);
  }

  /// The database behind this wire.
  public String url() {
    return url;
  }

  /// How often the database was waited for so far.
  public int trips() {
    return trips.get();
  }

  private void accept() {
    try {
      while (true) {
        var client = listener.accept();
        var server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        sockets.addAll(List.of(client, server));
        Thread.startVirtualThread(() -> copy(client, server));
        Thread.startVirtualThread(() -> count(server, client));
      }
    } catch (IOException _) {
      // the test is over
    }
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException _) {
      // one side hung up
    }
  }

  private void count(Socket from, Socket to) {
    try (from;
        to) {
      var in = new DataInputStream(new BufferedInputStream(from.getInputStream()));
      var out = new DataOutputStream(to.getOutputStream());
      boolean begun = false;
      for (int type = in.read(); type >= 0; type = in.read()) {
        int length = in.readInt();
        var rest = in.readNBytes(length - LENGTH_BYTES);
        if (type == READY && !begun) trips.incrementAndGet();
        begun = type == DONE && new String(rest, US_ASCII).equals("BEGIN\0");
        out.writeByte(type);
        out.writeInt(length);
        out.write(rest);
      }
    } catch (IOException _) {
      // one side hung up
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (var socket : sockets) socket.close();
  }
}
