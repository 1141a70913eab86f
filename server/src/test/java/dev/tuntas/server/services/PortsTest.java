package dev.tuntas.server.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.adapters.http.HttpCarts;
import dev.tuntas.adapters.http.HttpCatalogue;
import dev.tuntas.adapters.http.HttpInventory;
import dev.tuntas.adapters.http.HttpPayments;
import dev.tuntas.cart.CartShelf;
import dev.tuntas.cart.Carts;
import dev.tuntas.inventory.Catalogue;
import dev.tuntas.inventory.Inventory;
import dev.tuntas.inventory.StockList;
import dev.tuntas.inventory.StockRoom;
import dev.tuntas.money.Money;
import dev.tuntas.payment.Cashier;
import dev.tuntas.payment.Payments;
import dev.tuntas.simulator.SimulatedCarts;
import dev.tuntas.simulator.SimulatedWarehouse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where orders find their services: in this process, or at a URL.
class PortsTest {

  @TempDir private Path data;

  @Test
  void a_process_with_urls_uses_the_services_of_another() {
    try (var there = ServicesServer.start(data.resolve("there"));
        var here =
            ServicesServer.start(
                data.resolve("here"),
                "--tuntas.partners.inventory.url=" + there.url(),
                "--tuntas.partners.payment.url=" + there.url(),
                "--tuntas.partners.cart.url=" + there.url())) {
      assertThat(there.bean(Inventory.class)).isInstanceOf(SimulatedWarehouse.class);
      assertThat(there.bean(Payments.class)).isInstanceOf(Cashier.class);
      assertThat(there.bean(Carts.class)).isInstanceOf(SimulatedCarts.class);
      assertThat(here.bean(Inventory.class)).isInstanceOf(HttpInventory.class);
      assertThat(here.bean(Payments.class)).isInstanceOf(HttpPayments.class);
      assertThat(here.bean(Carts.class)).isInstanceOf(HttpCarts.class);
      assertThat(here.bean(Catalogue.class)).isInstanceOf(HttpCatalogue.class);
      // What is elsewhere is not served here, too: two stocks would be one too many.
      assertThat(here.get("/api/v1/inventory/items/A", ServicesServer.SERVICE_KEY).status())
          .isEqualTo(404);

      there.bean(StockList.class).putItem("A", 1, new Money(7, "IDR"));
      assertThat(here.bean(Catalogue.class).items(List.of("A")))
          .isEqualTo(there.bean(Catalogue.class).items(List.of("A")));
    }
  }

  @Test
  void without_the_simulator_the_stock_room_itself_is_asked() {
    try (var server = ServicesServer.start(data, "--tuntas.roles=inventory,cart")) {
      assertThat(server.bean(Inventory.class)).isInstanceOf(StockRoom.class);
      assertThat(server.bean(Carts.class)).isInstanceOf(CartShelf.class);
      assertThatThrownBy(() -> server.bean(Payments.class))
          .rootCause()
          .hasMessage(
              "orders need the payment service: add the role payment, or set partners.payment.url");
    }
  }

  @Test
  void a_payment_service_without_a_bank_does_not_start() {
    assertThatThrownBy(() -> ServicesServer.start(data, "--tuntas.roles=payment").close())
        .rootCause()
        .hasMessageStartingWith("the payment service needs a bank");
  }
}
