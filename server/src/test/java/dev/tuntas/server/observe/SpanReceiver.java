package dev.tuntas.server.observe;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// A collector of this test: takes spans by OTLP over HTTP, and keeps what a cart service is sent.
final class SpanReceiver implements AutoCloseable {

  private final List<Span> spans = new CopyOnWriteArrayList<>();
  private final List<String> traceParents = new CopyOnWriteArrayList<>();
  private final HttpServer server;

  SpanReceiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/v1/traces",
        exchange -> {
          var request = ExportTraceServiceRequest.parseFrom(exchange.getRequestBody());
          for (var resource : request.getResourceSpansList()) {
            for (var scope : resource.getScopeSpansList()) spans.addAll(scope.getSpansList());
          }
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.createContext(
        "/api/v1/cart/items/clear",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          traceParents.add(String.valueOf(exchange.getRequestHeaders().getFirst("traceparent")));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  List<String> traceParents() {
    return traceParents;
  }

  List<Span> named(String name) {
    return spans.stream().filter(span -> span.getName().equals(name)).toList();
  }

  /// The spans of calls for an order.
  List<Span> ofOrder(String orderId) {
    return spans.stream()
        .filter(span -> attribute(span, "order.id").filter(orderId::equals).isPresent())
        .toList();
  }

  List<Span> ofTrace(String traceId) {
    return spans.stream().filter(span -> traceId(span).equals(traceId)).toList();
  }

  String text() {
    return spans.toString();
  }

  static String traceId(Span span) {
    return HexFormat.of().formatHex(span.getTraceId().toByteArray());
  }

  static Optional<String> attribute(Span span, String name) {
    return span.getAttributesList().stream()
        .filter(it -> it.getKey().equals(name))
        .map(KeyValue::getValue)
        .map(it -> it.hasIntValue() ? Long.toString(it.getIntValue()) : it.getStringValue())
        .findFirst();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
