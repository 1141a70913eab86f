package dev.tuntas.server.services;

import dev.tuntas.adapters.http.HttpPayments;
import dev.tuntas.adapters.http.ServiceClient;
import dev.tuntas.payment.Books;
import dev.tuntas.payment.Cashier;
import dev.tuntas.payment.Payments;
import dev.tuntas.server.settings.Here;
import dev.tuntas.server.settings.Settings;
import dev.tuntas.simulator.SimulatedBank;
import dev.tuntas.store.Tables;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/// The payment service, when it runs in this process.
@Configuration(proxyBeanMethods = false)
@Conditional(Here.Payment.class)
class PaymentWiring {

  @Bean
  Tables paymentTables(ServiceTables tables) {
    return tables.open(Cashier.TABLES);
  }

  @Bean
  Payments ownPayments(
      Tables paymentTables,
      Settings settings,
      ObjectProvider<SimulatedBank> own,
      @Qualifier("bankService") ObjectProvider<ServiceClient> remote,
      InstantSource clock) {
    var here = settings.partners().bank().url() == null ? own.getIfAvailable() : null;
    var bank = here != null ? here : new HttpPayments(remote.getObject());
    return new Cashier(paymentTables, bank, clock);
  }

  @Bean
  Books books(Tables paymentTables) {
    return new Books(paymentTables);
  }
}
