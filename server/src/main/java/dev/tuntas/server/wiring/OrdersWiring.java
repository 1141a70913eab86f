package dev.tuntas.server.wiring;

import dev.tuntas.cart.Carts;
import dev.tuntas.engine.Engine;
import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.EngineSettings;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.Lane;
import dev.tuntas.inventory.Inventory;
import dev.tuntas.orders.Noticeboard;
import dev.tuntas.orders.OrderBook;
import dev.tuntas.orders.OrderDesk;
import dev.tuntas.orders.OrderIds;
import dev.tuntas.orders.OrderReader;
import dev.tuntas.orders.OrderSagas;
import dev.tuntas.payment.Payments;
import dev.tuntas.saga.AskPolicy;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.server.observe.Traces;
import dev.tuntas.server.orders.Answers;
import dev.tuntas.server.orders.Links;
import dev.tuntas.server.orders.OrderJson;
import dev.tuntas.server.orders.OrderNews;
import dev.tuntas.server.orders.OrderRounds;
import dev.tuntas.server.orders.OrderStream;
import dev.tuntas.server.orders.PaymentMethods;
import dev.tuntas.server.settings.CheckoutSettings;
import dev.tuntas.server.settings.Settings;
import dev.tuntas.server.support.TicketsOfOrders;
import dev.tuntas.simulator.SimulatedBank;
import dev.tuntas.store.JacksonDataCodec;
import dev.tuntas.store.Stores;
import dev.tuntas.store.Tables;
import dev.tuntas.support.RefundSaga;
import dev.tuntas.support.RefundTask;
import dev.tuntas.support.SupportDesk;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/// Orders: their sagas, the engine that runs them, and the desk where they are placed.
@Configuration(proxyBeanMethods = false)
class OrdersWiring {

  @Bean
  Tables orderTables(Stores stores) {
    return stores.tables(OrderBook.TABLES);
  }

  @Bean
  OrderBook orderBook(Tables orderTables, Stores stores) {
    var book = new OrderBook(orderTables);
    stores.accompany(book);
    return book;
  }

  @Bean
  OrderSagas orderSagas(
      Inventory inventory, Payments payments, Carts carts, Settings settings, Traces traces) {
    var booking = settings.booking().saga().recoveryGiveUp();
    var giveUp = settings.saga().giveUp();
    return new OrderSagas(
        inventory,
        payments,
        carts,
        new OrderSagas.Settings(
            giveUp,
            giveUp.compareTo(booking) < 0 ? giveUp : booking,
            settings.compensation().maxAttempts(),
            Duration.ofSeconds(10),
            AskPolicy.patient().first()),
        traces::watched);
  }

  @Bean
  OrderReader orderReader(Stores stores, OrderSagas sagas) {
    return new OrderReader(stores.sagas(), new JacksonDataCodec(), sagas);
  }

  @Bean
  SagaDefinition<RefundTask> refundSaga(Payments payments, Settings settings) {
    return RefundSaga.definition(payments, settings.saga().giveUp());
  }

  @Bean
  OrderNews orderNews() {
    return new OrderNews();
  }

  @Bean
  Noticeboard noticeboard(Tables orderTables, OrderBook book, SupportDesk support) {
    return new Noticeboard(orderTables, book, List.of(support::hear), support::hear);
  }

  @Bean
  Engine engine(
      Stores stores,
      OrderBook book, // its rows ride with the first commit of every order
      OrderSagas sagas,
      SagaDefinition<RefundTask> refundSaga,
      Noticeboard noticeboard,
      List<EngineListener> listeners,
      Settings settings) {
    return EngineSetup.on(stores.sagas(), stores.outbox(), new JacksonDataCodec())
        .define(sagas.all().toArray(SagaDefinition[]::new))
        .define(refundSaga)
        .lane(Lane.Settings.of("payment"))
        .lane(Lane.Settings.of("inventory"))
        .lane(Lane.Settings.of("cart"))
        .publishTo(noticeboard)
        .consumers(stores.consumers())
        .settings(engineSettings(settings))
        .listener(listeners.toArray(EngineListener[]::new))
        .nodeName("server")
        .open();
  }

  private static EngineSettings engineSettings(Settings settings) {
    var standard = EngineSettings.standard().writers(settings.embedded() ? 1 : 2);
    var pace = standard.pace();
    var recovery = settings.booking().saga();
    return standard.pace(
        new EngineSettings.Pace(
            pace.claimEvery(),
            pace.napMax(),
            recovery.recoveryInterval(),
            recovery.recoveryThreshold()));
  }

  @Bean
  OrderDesk orderDesk(
      Engine engine,
      OrderReader reader,
      OrderBook book,
      OrderSagas sagas,
      InstantSource clock,
      Settings settings) {
    boolean reserveFirst = settings.checkout().order() == CheckoutSettings.Order.RESERVE_FIRST;
    var ids = new OrderIds(clock, new SecureRandom());
    return new OrderDesk(engine, reader, book, ids, sagas, reserveFirst, clock);
  }

  @Bean
  OrderRounds orderRounds(OrderBook book, InstantSource clock, Settings settings) {
    var ended = engineSettings(settings).retention().ended();
    var keys = settings.idempotency().ttl();
    return new OrderRounds(book, clock, new OrderRounds.Retention(keys, ended));
  }

  @Bean
  Links links(Settings settings) {
    return new Links(settings.publicUrl());
  }

  @Bean
  OrderJson orderJson(Links links, Tables supportTables) {
    return new OrderJson(links, new TicketsOfOrders(supportTables));
  }

  @Bean
  OrderStream orderStream(OrderDesk desk, OrderNews news, OrderJson json, JsonMapper mapper) {
    return new OrderStream(desk, news, json, mapper);
  }

  @Bean
  Answers answers(OrderDesk desk, OrderBook book, OrderJson json, Links links) {
    return new Answers(desk, book, json, links);
  }

  /// Of a bank that is elsewhere we do not know the methods.
  @Bean
  PaymentMethods paymentMethods(Settings settings) {
    return settings.roles().contains(Settings.Role.SIMULATOR)
        ? SimulatedBank::knows
        : method -> true;
  }
}
