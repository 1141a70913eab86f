package dev.tuntas.server.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tuntas.areas.LoyaltyBook;
import dev.tuntas.cart.Carts;
import dev.tuntas.inventory.Inventory;
import dev.tuntas.rides.Dispatch;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What partners are shown, by partners that write down every header.
class PartnerCredentialsTest {

  private static final List<String> PARTNERS = List.of("bbd", "bank", "loyalty");
  private static final List<String> OURS = List.of("inventory", "cart");
  private static final String NOTHING = "nothing";

  @TempDir private Path data;
  private final Map<String, String> shown = new ConcurrentHashMap<>();
  private final Map<String, String> headers = new ConcurrentHashMap<>();
  private HttpServer all;

  @BeforeEach
  void listen() throws IOException {
    all = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    all.createContext("/", this::write);
    all.start();
  }

  @AfterEach
  void stop() {
    all.stop(0);
  }

  private void write(HttpExchange asked) throws IOException {
    var partner = asked.getRequestURI().getPath().split("/", 3)[1];
    var credentials = asked.getRequestHeaders().getOrDefault("Authorization", List.of(NOTHING));
    headers.put(partner, asked.getRequestURI() + " " + Map.copyOf(asked.getRequestHeaders()));
    shown.put(partner, String.join(" and ", credentials));
    asked.getRequestBody().readAllBytes();
    asked.sendResponseHeaders(500, -1);
    asked.close();
  }

  /// Calls every partner once.
  private void callThem(String... more) {
    var settings = new ArrayList<>(List.of(more));
    for (var names : List.of(PARTNERS, OURS)) {
      for (var name : names) {
        var url = "http://127.0.0.1:" + all.getAddress().getPort() + "/" + name;
        settings.add("--tuntas.partners." + name + ".url=" + url);
      }
    }
    try (var server = ServicesServer.start(data, settings.toArray(String[]::new))) {
      var charge = "{'order_id':'o-1','payment_method':'pm_ok','amount':5000,'currency':'IDR'}";
      server.post("/api/v1/payments/charges", "charge-o-1", charge);
      server.bean(Dispatch.class).job("bbd-1");
      server.bean(LoyaltyBook.class).levelOf("USR-1");
      server.bean(Inventory.class).release("o-1", "release-o-1");
      server.bean(Carts.class).clear("cart-1", "clear-o-1");
      await().until(() -> shown.size() == PARTNERS.size() + OURS.size());
    }
  }

  @Test
  void no_partner_sees_a_key_of_ours() {
    callThem();

    for (var partner : PARTNERS) {
      assertThat(shown).containsEntry(partner, NOTHING);
      assertThat(headers.get(partner))
          .doesNotContain(
              ServicesServer.SERVICE_KEY, ServicesServer.ADMIN_KEY, ServicesServer.CLIENT_KEY);
    }
    for (var service : OURS) {
      assertThat(shown).containsEntry(service, "Bearer " + ServicesServer.SERVICE_KEY);
    }
  }

  @Test
  void each_sees_the_credential_that_was_given_for_it() {
    var names = List.of("bbd", "bank", "loyalty", "inventory", "cart");
    callThem(
        names.stream()
            .map(it -> "--tuntas.partners." + it + ".credential=what-we-show-to-" + it)
            .toArray(String[]::new));

    for (var name : names) {
      assertThat(shown).containsEntry(name, "Bearer what-we-show-to-" + name);
    }
  }
}
