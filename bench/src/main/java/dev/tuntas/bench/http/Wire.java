package dev.tuntas.bench.http;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/// One connection that is kept open, with as little around it as can be: whoever measures shares
/// the machine with what is measured.
final class Wire implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int LINE_MAX = 8 * 1024;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final byte[] line = new byte[LINE_MAX];
  private boolean over;

  Wire(URI server) throws IOException {
    socket = new Socket();
    socket.setTcpNoDelay(true);
    socket.connect(
        new InetSocketAddress(server.getHost(), server.getPort()), (int) PATIENCE.toMillis());
    socket.setSoTimeout((int) PATIENCE.toMillis());
    in = new BufferedInputStream(socket.getInputStream(), LINE_MAX);
    out = socket.getOutputStream();
  }

  /// Sends a request and reads the whole answer. Returns its status.
  int ask(byte[] request) throws IOException {
    out.write(request);
    out.flush();
    int status = Integer.parseInt(readLine().substring(9, 12));
    long length = 0;
    boolean chunked = false;
    for (var header = readLine(); !header.isEmpty(); header = readLine()) {
      var lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) length = Long.parseLong(value(header));
      if (lower.startsWith("transfer-encoding:")) chunked = true;
      if (lower.startsWith("connection:")) over = lower.endsWith("close");
    }
    if (chunked) skipChunks();
    else in.skipNBytes(length);
    return status;
  }

  /// Whether the server wants no more requests on it.
  boolean isOver() {
    return over;
  }

  private static String value(String header) {
    return header.substring(header.indexOf(':') + 1).strip();
  }

  private void skipChunks() throws IOException {
    for (int size = chunk(); size > 0; size = chunk()) {
      in.skipNBytes(size);
      readLine();
    }
    readLine();
  }

  private int chunk() throws IOException {
    return Integer.parseInt(readLine(), 16);
  }

  private String readLine() throws IOException {
    int length = 0;
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0 || length == LINE_MAX) throw new EOFException("the answer broke off");
      line[length++] = (byte) next;
    }
    return new String(line, 0, Math.max(0, length - 1), StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
