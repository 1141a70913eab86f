package dev.tuntas.server.services;

import dev.tuntas.adapters.http.HttpCarts;
import dev.tuntas.adapters.http.HttpCatalogue;
import dev.tuntas.adapters.http.HttpInventory;
import dev.tuntas.adapters.http.HttpPayments;
import dev.tuntas.adapters.http.ServiceClient;
import dev.tuntas.adapters.http.ServiceSettings;
import dev.tuntas.cart.Carts;
import dev.tuntas.inventory.Catalogue;
import dev.tuntas.inventory.Inventory;
import dev.tuntas.inventory.StockList;
import dev.tuntas.payment.Payments;
import dev.tuntas.server.access.Credentials;
import dev.tuntas.server.observe.Traces;
import dev.tuntas.server.settings.PartnerSettings.Partner;
import dev.tuntas.server.settings.Settings;
import dev.tuntas.server.settings.SettingsException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;

/// The services as orders use them: those of this process, or those at a URL. Made when first
/// needed, because a process that runs no orders needs none.
@Configuration(proxyBeanMethods = false)
@Lazy
class PortWiring {

  @Bean
  ServiceClient inventoryService(
      Settings settings, Credentials credentials, ObjectProvider<Traces> traces) {
    return client("inventory", settings.partners().inventory(), credentials, traces);
  }

  @Bean
  ServiceClient paymentService(
      Settings settings, Credentials credentials, ObjectProvider<Traces> traces) {
    return client("payment", settings.partners().payment(), credentials, traces);
  }

  @Bean
  ServiceClient cartService(
      Settings settings, Credentials credentials, ObjectProvider<Traces> traces) {
    return client("cart", settings.partners().cart(), credentials, traces);
  }

  private static ServiceClient client(
      String name, Partner partner, Credentials credentials, ObjectProvider<Traces> traces) {
    if (partner.url() == null) {
      throw new SettingsException(
          "orders need the %s service: add the role %s, or set partners.%s.url"
              .formatted(name, name, name));
    }
    var trace = traces.getIfAvailable(Traces::none);
    return new ServiceClient(
        ServiceSettings.of(partner.url(), credentials.serviceKey()), trace::current);
  }

  @Bean
  @Primary
  Inventory inventory(
      @Qualifier("ownInventory") ObjectProvider<Inventory> own,
      @Qualifier("inventoryService") ObjectProvider<ServiceClient> remote) {
    return own.getIfAvailable(() -> new HttpInventory(remote.getObject()));
  }

  @Bean
  @Primary
  Catalogue catalogue(
      ObjectProvider<StockList> own,
      @Qualifier("inventoryService") ObjectProvider<ServiceClient> remote) {
    var list = own.getIfAvailable();
    return list != null ? list : new HttpCatalogue(remote.getObject());
  }

  @Bean
  @Primary
  Payments payments(
      @Qualifier("ownPayments") ObjectProvider<Payments> own,
      @Qualifier("paymentService") ObjectProvider<ServiceClient> remote) {
    return own.getIfAvailable(() -> new HttpPayments(remote.getObject()));
  }

  @Bean
  @Primary
  Carts carts(
      @Qualifier("ownCarts") ObjectProvider<Carts> own,
      @Qualifier("cartService") ObjectProvider<ServiceClient> remote) {
    return own.getIfAvailable(() -> new HttpCarts(remote.getObject()));
  }
}
