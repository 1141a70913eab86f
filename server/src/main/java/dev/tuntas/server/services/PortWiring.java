package dev.tuntas.server.services;

import dev.tuntas.adapters.http.HttpCarts;
import dev.tuntas.adapters.http.HttpCatalogue;
import dev.tuntas.adapters.http.HttpDispatch;
import dev.tuntas.adapters.http.HttpInventory;
import dev.tuntas.adapters.http.HttpLoyalty;
import dev.tuntas.adapters.http.HttpPayments;
import dev.tuntas.adapters.http.ServiceClient;
import dev.tuntas.adapters.http.ServiceSettings;
import dev.tuntas.areas.LoyaltyBook;
import dev.tuntas.cart.Carts;
import dev.tuntas.inventory.Catalogue;
import dev.tuntas.inventory.Inventory;
import dev.tuntas.inventory.StockList;
import dev.tuntas.payment.Payments;
import dev.tuntas.rides.Dispatch;
import dev.tuntas.server.access.Credentials;
import dev.tuntas.server.access.RateLimit;
import dev.tuntas.server.bus.DrivenInventory;
import dev.tuntas.server.observe.ResultMeters;
import dev.tuntas.server.observe.Traces;
import dev.tuntas.server.settings.PartnerSettings.Service;
import dev.tuntas.server.settings.Settings;
import dev.tuntas.server.settings.SettingsException;
import io.micrometer.core.instrument.MeterRegistry;
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
    return own("inventory", settings.partners().inventory(), credentials, traces);
  }

  @Bean
  ServiceClient paymentService(
      Settings settings, Credentials credentials, ObjectProvider<Traces> traces) {
    return own("payment", settings.partners().payment(), credentials, traces);
  }

  @Bean
  ServiceClient cartService(
      Settings settings, Credentials credentials, ObjectProvider<Traces> traces) {
    return own("cart", settings.partners().cart(), credentials, traces);
  }

  /// Only our own services are shown our service key.
  private static ServiceClient own(
      String name, Service service, Credentials credentials, ObjectProvider<Traces> traces) {
    var url = service.url();
    if (url == null) {
      throw new SettingsException(
          "orders need the %s service: add the role %s, or set partners.%s.url"
              .formatted(name, name, name));
    }
    var given = service.credential();
    return client(
        ServiceSettings.of(url, given != null ? given : credentials.serviceKey()), traces);
  }

  @Bean
  ServiceClient dispatchService(Settings settings, ObjectProvider<Traces> traces) {
    var partner = settings.partners().bbd();
    var url = partner.url();
    if (url == null) {
      throw new SettingsException(
          "rides need a dispatch partner: add the role simulator, or set partners.bbd.url");
    }
    return client(ServiceSettings.of(url, partner.credential()), traces);
  }

  /// The bank behind our payment service.
  @Bean
  ServiceClient bankService(Settings settings, ObjectProvider<Traces> traces) {
    var partner = settings.partners().bank();
    var url = partner.url();
    if (url == null) {
      throw new SettingsException(
          "the payment service needs a bank: add the role simulator, or set partners.bank.url");
    }
    return client(ServiceSettings.of(url, partner.credential()), traces);
  }

  @Bean
  ServiceClient loyaltyService(Settings settings, ObjectProvider<Traces> traces) {
    var partner = settings.partners().loyalty();
    var url = partner.url();
    if (url == null) throw new SettingsException("partners.loyalty.url is not set");
    var limit = HttpLoyalty.TIMEOUT;
    return client(new ServiceSettings(url, partner.credential(), limit, limit), traces);
  }

  private static ServiceClient client(ServiceSettings settings, ObjectProvider<Traces> traces) {
    var trace = traces.getIfAvailable(Traces::none);
    return new ServiceClient(settings, trace::current);
  }

  @Bean
  @Primary
  Inventory inventory(
      @Qualifier("ownInventory") ObjectProvider<Inventory> own,
      @Qualifier("inventoryService") ObjectProvider<ServiceClient> remote,
      ObjectProvider<DrivenInventory> driven) {
    var called = own.getIfAvailable(() -> new HttpInventory(remote.getObject()));
    var byMessages = driven.getIfAvailable();
    return byMessages == null ? called : byMessages.over(called);
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

  /// Our own simulator may serve others while our rides go elsewhere.
  @Bean
  @Primary
  Dispatch dispatch(
      Settings settings,
      @Qualifier("ownDispatch") ObjectProvider<Dispatch> own,
      @Qualifier("dispatchService") ObjectProvider<ServiceClient> remote) {
    var here = settings.partners().bbd().url() == null ? own.getIfAvailable() : null;
    return here != null ? here : new HttpDispatch(remote.getObject());
  }

  @Bean
  LoyaltyBook loyaltyBook(
      Settings settings,
      @Qualifier("loyaltyService") ObjectProvider<ServiceClient> remote,
      MeterRegistry registry) {
    var partner = settings.partners().loyalty();
    if (partner.url() == null) return LoyaltyBook.empty();
    var limit = RateLimit.ofPartner(partner.rateLimit(), System::nanoTime);
    var calls =
        new ResultMeters<>(
            HttpLoyalty.Result.class,
            "loyalty_calls_total",
            "Customers whose loyalty had to be asked for, by what became of it",
            registry);
    return new HttpLoyalty(
        remote.getObject(), () -> limit.take("loyalty").isZero(), calls, System::nanoTime);
  }
}
