package dev.tuntas.adapters.notify;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/// Somebody else's server, on loopback, that answers as it is told.
final class Receiver implements AutoCloseable {

  record Request(Map<String, String> headers, byte[] body) {
    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  final List<Request> requests = new CopyOnWriteArrayList<>();
  volatile int status = 200;
  volatile Map<String, String> headers = Map.of();
  private final HttpServer server;

  Receiver(HttpServer server) {
    this.server = server;
    server.createContext("/", this::answer);
    server.start();
  }

  static Receiver open() throws IOException {
    return new Receiver(HttpServer.create(here(), 0));
  }

  static InetSocketAddress here() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    var sent = new LinkedHashMap<String, String>();
    exchange.getRequestHeaders().forEach((name, values) -> sent.put(name, values.getFirst()));
    requests.add(new Request(sent, exchange.getRequestBody().readAllBytes()));
    headers.forEach((name, value) -> exchange.getResponseHeaders().add(name, value));
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  int port() {
    return server.getAddress().getPort();
  }

  String url() {
    return "http://127.0.0.1:" + port() + "/hook";
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
