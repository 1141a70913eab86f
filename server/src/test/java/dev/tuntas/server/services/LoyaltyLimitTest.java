package dev.tuntas.server.services;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tuntas.areas.LoyaltyBook;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A loyalty service that takes one call a second, and many customers.
class LoyaltyLimitTest {

  private static final int CUSTOMERS = 20;

  @TempDir private Path data;
  private final AtomicInteger heard = new AtomicInteger();
  private HttpServer loyalty;

  @BeforeEach
  void listen() throws IOException {
    loyalty = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    loyalty.createContext("/", this::answer);
    loyalty.start();
  }

  @AfterEach
  void stop() {
    loyalty.stop(0);
  }

  private void answer(HttpExchange asked) throws IOException {
    heard.incrementAndGet();
    var body = "{\"level\":\"ELITE\"}".getBytes(UTF_8);
    asked.sendResponseHeaders(200, body.length);
    asked.getResponseBody().write(body);
    asked.close();
  }

  @Test
  void it_is_not_asked_more_often_than_it_takes_and_what_became_of_each_is_counted() {
    var url = "http://127.0.0.1:" + loyalty.getAddress().getPort();
    try (var server =
        ServicesServer.start(
            data,
            "--tuntas.partners.loyalty.url=" + url,
            "--tuntas.partners.loyalty.rate-limit=1")) {
      var book = server.bean(LoyaltyBook.class);
      for (int i = 0; i < CUSTOMERS; i++) book.levelOf("USR-" + i);
      assertThat(heard).hasValueBetween(1, CUSTOMERS - 1);
      var calls = server.bean(MeterRegistry.class).get("loyalty_calls_total").counters();
      assertThat(calls.stream().mapToDouble(it -> it.count()).sum()).isEqualTo(CUSTOMERS);
    }
  }
}
