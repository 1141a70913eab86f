package dev.tuntas.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// Bytes sent to the server as they are, for requests that no decent client would send.
public record RawRequest(byte[] bytes) {

  private static final int TIMEOUT_MILLIS = 20_000;

  public static RawRequest of(String text) {
    return new RawRequest(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /// All that the server sends until it closes the connection.
  public String answers() {
    return answer(false);
  }

  /// Like [#answers], but no more than one answer.
  public String answer() {
    return answer(true);
  }

  private String answer(boolean one) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), TestServer.running().port())) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
      return read(socket, one);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Socket socket, boolean one) throws IOException {
    var all = new ByteArrayOutputStream();
    var in = socket.getInputStream();
    for (int next = in.read(); next >= 0; next = in.read()) {
      all.write(next);
      if (one && isWhole(all.toString(StandardCharsets.UTF_8))) break;
    }
    return all.toString(StandardCharsets.UTF_8);
  }

  private static boolean isWhole(String text) {
    int head = text.indexOf("\r\n\r\n");
    if (head < 0) return false;
    var length = text.substring(0, head).replaceAll("(?is).*\\ncontent-length: *(\\d+).*", "$1");
    return length.matches("\\d+")
        && text.substring(head + 4).getBytes(StandardCharsets.UTF_8).length
            >= Integer.parseInt(length);
  }
}
