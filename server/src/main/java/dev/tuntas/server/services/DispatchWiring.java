package dev.tuntas.server.services;

import dev.tuntas.adapters.notify.WebhookSignature;
import dev.tuntas.server.access.Credentials;
import dev.tuntas.server.settings.Here;
import dev.tuntas.server.settings.Settings;
import dev.tuntas.simulator.Pause;
import dev.tuntas.simulator.SimulatedDispatch;
import dev.tuntas.store.Tables;
import java.net.URI;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/// The simulated dispatch partner. It calls back over HTTP, as another process would.
@Configuration(proxyBeanMethods = false)
@Conditional(Here.DispatchSimulator.class)
class DispatchWiring {

  @Bean
  Tables dispatchTables(ServiceTables tables) {
    return tables.open(SimulatedDispatch.TABLES);
  }

  @Bean
  CallbackSender callbackSender(
      Settings settings, Credentials credentials, ServletWebServerApplicationContext server) {
    return new CallbackSender(
        () -> callbackUrl(settings, server),
        new WebhookSignature(credentials.bbdSecret()),
        InstantSource.system());
  }

  private static URI callbackUrl(Settings settings, ServletWebServerApplicationContext server) {
    var elsewhere = settings.partners().bbd().callbackUrl();
    if (elsewhere != null) return elsewhere;
    var web = server.getWebServer();
    if (web == null) throw new IllegalStateException("the server does not listen yet");
    var address = settings.address();
    boolean every = address.equals("0.0.0.0") || address.equals("::");
    var host = every ? "127.0.0.1" : address.contains(":") ? "[" + address + "]" : address;
    return URI.create("http://" + host + ":" + web.getPort() + "/api/v1/callbacks/bbd");
  }

  /// Made after the tables, so that it ends before them.
  @Bean
  ScheduledTimer dispatchTimer(Tables dispatchTables) {
    dispatchTables.ping();
    return new ScheduledTimer();
  }

  @Bean
  SimulatedDispatch ownDispatch(
      Tables dispatchTables, ScheduledTimer timer, CallbackSender sender, InstantSource clock) {
    return new SimulatedDispatch(
        dispatchTables, RandomGenerator.getDefault(), Pause.blocking(), clock, timer, sender);
  }

  /// Not before there is somebody to hear it.
  @Bean
  ApplicationListener<ApplicationReadyEvent> dispatchGoesOn(SimulatedDispatch dispatch) {
    return _ -> dispatch.resume();
  }
}
