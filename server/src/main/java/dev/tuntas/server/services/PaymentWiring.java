package dev.tuntas.server.services;

import dev.tuntas.payment.Books;
import dev.tuntas.payment.Cashier;
import dev.tuntas.payment.Payments;
import dev.tuntas.server.settings.SettingsException;
import dev.tuntas.simulator.SimulatedBank;
import dev.tuntas.store.Tables;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/// The payment service, when it runs in this process.
@Configuration(proxyBeanMethods = false)
@Conditional(ServiceHere.Payment.class)
class PaymentWiring {

  @Bean
  Tables paymentTables(ServiceTables tables) {
    return tables.open(Cashier.TABLES);
  }

  @Bean
  Payments ownPayments(
      Tables paymentTables, ObjectProvider<SimulatedBank> bank, InstantSource clock) {
    var known = bank.getIfAvailable();
    if (known == null) {
      throw new SettingsException(
          "the payment service needs a bank: add the role simulator, or set partners.payment.url");
    }
    return new Cashier(paymentTables, known, clock);
  }

  @Bean
  Books books(Tables paymentTables) {
    return new Books(paymentTables);
  }
}
