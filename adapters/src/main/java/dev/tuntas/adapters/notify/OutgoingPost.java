package dev.tuntas.adapters.notify;

import dev.tuntas.adapters.notify.OutgoingUrls.NotAllowedException;
import dev.tuntas.adapters.notify.OutgoingUrls.Target;
import dev.tuntas.notify.Channel.Receipt;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// One POST to the very address that [OutgoingUrls] judged, with the name checked by TLS. It
/// follows no redirect, takes no longer than its timeout, and reads no more of the answer than its
/// head.
///
/// The JDK's client resolves a name again when it connects, so that it could be led elsewhere.
public final class OutgoingPost {

  private static final int HEAD_MAX = 16 * 1024;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final OutgoingUrls urls;
  private final SSLContext tls;
  private final Duration timeout;

  OutgoingPost(OutgoingUrls urls, SSLContext tls, Duration timeout) {
    this.urls = urls;
    this.tls = tls;
    this.timeout = timeout;
  }

  public static OutgoingPost to(OutgoingUrls urls) {
    try {
      return new OutgoingPost(urls, SSLContext.getDefault(), TIMEOUT);
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
  }

  /// Sends JSON and says what became of it.
  Receipt send(String url, Map<String, String> headers, byte[] body, Instant now) {
    try {
      return receipt(exchange(urls.resolve(url), headers, body), now);
    } catch (NotAllowedException e) {
      return new Receipt.Refused(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return new Receipt.Later(e.getClass().getSimpleName() + ": " + e.getMessage(), null);
    }
  }

  private record Head(int status, @Nullable String retryAfter) {}

  private static Receipt receipt(Head head, Instant now) {
    int status = head.status;
    if (status / 100 == 2) return new Receipt.Sent();
    var why = "HTTP " + status;
    boolean passing = status == 408 || status == 425 || status == 429 || status >= 500;
    return passing
        ? new Receipt.Later(why, wait(head.retryAfter, now))
        : new Receipt.Refused(status / 100 == 3 ? why + ": redirects are not followed" : why);
  }

  /// Seconds, or a date. What is neither counts as nothing said.
  private static @Nullable Duration wait(@Nullable String said, Instant now) {
    if (said == null) return null;
    try {
      if (said.matches("\\d{1,9}")) return Duration.ofSeconds(Long.parseLong(said));
      var date = ZonedDateTime.parse(said, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      return date.isAfter(now) ? Duration.between(now, date) : null;
    } catch (DateTimeParseException _) {
      return null;
    }
  }

  private Head exchange(Target target, Map<String, String> headers, byte[] body)
      throws IOException {
    try (var plain = new Socket();
        var _ = new Deadline(plain, timeout)) {
      plain.connect(
          new InetSocketAddress(target.address(), target.port()), (int) timeout.toMillis());
      var socket = target.tls() ? secure(plain, target) : plain;
      var out = socket.getOutputStream();
      out.write(request(target.url(), headers, body.length));
      out.write(body);
      out.flush();
      return head(new BufferedInputStream(socket.getInputStream()));
    }
  }

  private Socket secure(Socket plain, Target target) throws IOException {
    var host = OutgoingUrls.host(target.url());
    var socket = (SSLSocket) tls.getSocketFactory().createSocket(plain, host, target.port(), true);
    var parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  private static byte[] request(URI url, Map<String, String> headers, int length) {
    var path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    var query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
    var port = url.getPort() == -1 ? "" : ":" + url.getPort();
    var text = new StringBuilder();
    text.append("POST ").append(path).append(query).append(" HTTP/1.1\r\n");
    text.append("Host: ").append(url.getHost()).append(port).append("\r\n");
    text.append("User-Agent: tuntas\r\nConnection: close\r\n");
    text.append("Content-Type: application/json\r\n");
    text.append("Content-Length: ").append(length).append("\r\n");
    headers.forEach(
        (name, value) -> text.append(name).append(": ").append(oneLine(value)).append("\r\n"));
    return text.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static String oneLine(String value) {
    return value.replaceAll("[^ -~]", "?");
  }

  private static Head head(InputStream in) throws IOException {
    var left = new int[] {HEAD_MAX};
    while (true) {
      int status = status(line(in, left));
      String retryAfter = null;
      for (var line = line(in, left); !line.isEmpty(); line = line(in, left)) {
        int colon = line.indexOf(':');
        if (colon > 0 && line.substring(0, colon).toLowerCase(Locale.ROOT).equals("retry-after")) {
          retryAfter = line.substring(colon + 1).strip();
        }
      }
      if (status >= 200) return new Head(status, retryAfter);
    }
  }

  private static int status(String line) throws IOException {
    if (!line.matches("HTTP/1\\.[01] [1-5]\\d\\d( .*)?")) throw new IOException("it is not HTTP");
    return Integer.parseInt(line.substring(9, 12));
  }

  private static String line(InputStream in, int[] left) throws IOException {
    var line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c == -1) throw new IOException("the answer ended too early");
      if (--left[0] < 0) throw new IOException("the answer's head is too long");
      if (c != '\r') line.write(c);
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  /// Closes a socket when its time is over, whatever it is doing.
  private static final class Deadline implements AutoCloseable {

    private final Thread watch;

    Deadline(Socket socket, Duration after) {
      watch = Thread.ofVirtual().start(() -> watch(socket, after));
    }

    private static void watch(Socket socket, Duration after) {
      try {
        Thread.sleep(after);
        socket.close();
      } catch (InterruptedException inTime) {
        Thread.currentThread().interrupt();
      } catch (IOException _) {
        // it is closed as well as it can be
      }
    }

    @Override
    public void close() {
      watch.interrupt();
    }
  }
}
