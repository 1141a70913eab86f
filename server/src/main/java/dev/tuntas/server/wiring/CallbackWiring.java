package dev.tuntas.server.wiring;

import dev.tuntas.adapters.notify.WebhookSignature;
import dev.tuntas.engine.Engine;
import dev.tuntas.orders.OrderReader;
import dev.tuntas.server.access.Credentials;
import dev.tuntas.server.callbacks.CallbackBook;
import dev.tuntas.server.callbacks.CallbackRounds;
import dev.tuntas.server.callbacks.CallbackSecrets;
import dev.tuntas.server.callbacks.CallbackSecrets.Secret;
import dev.tuntas.server.settings.Here;
import dev.tuntas.server.settings.Settings;
import dev.tuntas.store.Stores;
import dev.tuntas.store.Tables;
import dev.tuntas.support.SupportDesk;
import java.time.InstantSource;
import java.util.ArrayList;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/// Callbacks of partners: who may sign them, and where they go.
@Configuration(proxyBeanMethods = false)
@Conditional(Here.Orders.class)
class CallbackWiring {

  @Bean
  Tables callbackTables(Stores stores) {
    return stores.tables(CallbackBook.TABLES);
  }

  @Bean
  CallbackSecrets callbackSecrets(Credentials credentials, Settings settings) {
    var secrets = new ArrayList<Secret>();
    secrets.add(new Secret(new WebhookSignature(credentials.bbdSecret()), null));
    var bbd = settings.partners().bbd();
    if (bbd.retiredSecret() != null) {
      secrets.add(new Secret(new WebhookSignature(bbd.retiredSecret()), bbd.retiredSecretUntil()));
    }
    return new CallbackSecrets(secrets, InstantSource.system());
  }

  @Bean
  CallbackBook callbackBook(
      Tables callbackTables,
      Stores stores,
      OrderReader orders,
      Engine engine,
      SupportDesk support,
      InstantSource clock) {
    return new CallbackBook(callbackTables, stores, orders, engine, support, clock);
  }

  @Bean
  @Conditional(Here.Worker.class)
  CallbackRounds callbackRounds(CallbackBook book, InstantSource clock) {
    return new CallbackRounds(book, clock);
  }
}
