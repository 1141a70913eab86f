package dev.tuntas.adapters.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A server that sends exactly the bytes it is told to, however wrong they are. It reads a request,
/// answers, and hangs up, unless it is to leave the caller waiting.
final class WireServer implements AutoCloseable {

  /// What came in.
  record Received(String line, List<String> headers, String body) {}

  private final ServerSocket listening;
  private final Thread serving;
  private final LinkedBlockingQueue<Received> received = new LinkedBlockingQueue<>();
  private final List<Socket> open = new ArrayList<>();
  private volatile String answer = "";
  private volatile boolean hangsUp = true;

  WireServer() {
    try {
      listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    serving = Thread.ofVirtual().start(this::serve);
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + listening.getLocalPort());
  }

  WireServer answer(String bytes) {
    answer = bytes;
    return this;
  }

  /// Says that it hangs up, so that nobody's next call is lost with the connection.
  WireServer answer(int status, String headers, String body) {
    return answer(
        "HTTP/1.1 %d Whatever\r\nConnection: close\r\nContent-Length: %d\r\n%s\r\n%s"
            .formatted(status, body.getBytes(StandardCharsets.UTF_8).length, headers, body));
  }

  WireServer thenSaysNothingMore() {
    hangsUp = false;
    return this;
  }

  Received received() throws InterruptedException {
    return received.poll(5, TimeUnit.SECONDS);
  }

  boolean wasAsked() {
    return !received.isEmpty();
  }

  private void serve() {
    try {
      while (true) serve(listening.accept());
    } catch (IOException _) {
      // closed
    }
  }

  private void serve(Socket socket) {
    try {
      open.add(socket);
      var in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      received.add(read(in));
      socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
      if (hangsUp) socket.close();
    } catch (IOException _) {
      // the caller hung up
    }
  }

  private static Received read(BufferedReader in) throws IOException {
    var line = in.readLine();
    var headers = new ArrayList<String>();
    int length = 0;
    for (var header = in.readLine(); !header.isEmpty(); header = in.readLine()) {
      headers.add(header);
      if (header.toLowerCase().startsWith("content-length:")) {
        length = Integer.parseInt(header.substring(15).strip());
      }
    }
    var body = new char[length];
    for (int read = 0; read < length; ) read += in.read(body, read, length - read);
    return new Received(line, headers, new String(body));
  }

  /// The port answers until the thread that accepts has let go of it, so that is waited for.
  @Override
  public void close() throws IOException, InterruptedException {
    listening.close();
    serving.interrupt();
    serving.join();
    for (var socket : open) socket.close();
  }
}
