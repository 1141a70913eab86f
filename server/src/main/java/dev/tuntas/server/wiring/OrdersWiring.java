package dev.tuntas.server.wiring;

import dev.tuntas.areas.AreaBook;
import dev.tuntas.areas.AreaDesk;
import dev.tuntas.areas.WaitingMirror;
import dev.tuntas.cart.Carts;
import dev.tuntas.engine.Doorbell;
import dev.tuntas.engine.Engine;
import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.EngineSettings;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.inventory.Inventory;
import dev.tuntas.orders.AdmissionJournal;
import dev.tuntas.orders.KeyHints;
import dev.tuntas.orders.Noticeboard;
import dev.tuntas.orders.Order;
import dev.tuntas.orders.OrderBook;
import dev.tuntas.orders.OrderDesk;
import dev.tuntas.orders.OrderIds;
import dev.tuntas.orders.OrderReader;
import dev.tuntas.orders.OrderSagas;
import dev.tuntas.orders.RideSaga;
import dev.tuntas.orders.RideSlots;
import dev.tuntas.payment.Payments;
import dev.tuntas.rides.Dispatch;
import dev.tuntas.saga.AskPolicy;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.server.areas.AreaAnswers;
import dev.tuntas.server.areas.CustomerLoyalty;
import dev.tuntas.server.load.QueueDepth;
import dev.tuntas.server.load.Ration;
import dev.tuntas.server.observe.IdempotencyHits;
import dev.tuntas.server.observe.Traces;
import dev.tuntas.server.orders.Answers;
import dev.tuntas.server.orders.KeyDesk;
import dev.tuntas.server.orders.Links;
import dev.tuntas.server.orders.OrderJson;
import dev.tuntas.server.orders.OrderNews;
import dev.tuntas.server.orders.OrderRounds;
import dev.tuntas.server.orders.OrderStream;
import dev.tuntas.server.orders.PaymentMethods;
import dev.tuntas.server.orders.RideAdmission;
import dev.tuntas.server.settings.CheckoutSettings;
import dev.tuntas.server.settings.Here;
import dev.tuntas.server.settings.InventorySettings.DrivenBy;
import dev.tuntas.server.settings.Settings;
import dev.tuntas.server.settings.Settings.Role;
import dev.tuntas.server.support.TicketsOfOrders;
import dev.tuntas.simulator.SimulatedBank;
import dev.tuntas.store.JacksonDataCodec;
import dev.tuntas.store.Stores;
import dev.tuntas.store.Tables;
import dev.tuntas.support.RefundSaga;
import dev.tuntas.support.RefundTask;
import dev.tuntas.support.SupportDesk;
import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/// Orders: their sagas, the engine that runs them, and the desk where they are placed.
@Configuration(proxyBeanMethods = false)
@Conditional(Here.Orders.class)
class OrdersWiring {

  private static final int RELEASE_ASKED = 120;

  @Bean
  Tables orderTables(Stores stores) {
    return stores.tables(OrderBook.TABLES);
  }

  @Bean
  OrderBook orderBook(
      Tables orderTables,
      Tables areaTables, // slots are taken in the transaction that accepts a ride
      Stores stores) {
    var book = new OrderBook(orderTables);
    stores.accompany(book);
    return book;
  }

  @Bean
  OrderSagas orderSagas(
      Inventory inventory,
      Payments payments,
      Carts carts,
      RideSaga rideSaga,
      Settings settings,
      Traces traces) {
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
            releaseAttempts(settings),
            Duration.ofSeconds(10),
            AskPolicy.patient().first()),
        rideSaga.all(),
        traces::watched);
  }

  /// Over the bus most of them only ask whether it is done: for about an hour.
  private static int releaseAttempts(Settings settings) {
    int attempts = settings.compensation().maxAttempts();
    boolean asked = settings.inventory().drivenBy() == DrivenBy.MESSAGES;
    return asked ? Math.max(attempts, RELEASE_ASKED) : attempts;
  }

  @Bean
  RideSaga rideSaga(Dispatch dispatch, Payments payments, Settings settings, Traces traces) {
    var standard = RideSaga.Settings.standard();
    return new RideSaga(
        dispatch,
        payments,
        new RideSaga.Settings(
            settings.ride().initialWait(),
            standard.attempt(),
            standard.between(),
            RideSaga.Settings.news(settings.ride().newsWait()),
            standard.callTimeout(),
            standard.lost(),
            settings.compensation().maxAttempts()),
        traces::watched);
  }

  @Bean
  OrderReader orderReader(Stores stores, OrderSagas sagas) {
    return new OrderReader(stores, new JacksonDataCodec(), sagas);
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
  Noticeboard noticeboard(
      Tables orderTables,
      OrderBook book,
      SupportDesk support,
      WaitingMirror mirror,
      ObjectProvider<Noticeboard.Journal> journal) {
    return new Noticeboard(
        orderTables,
        book,
        List.of(support::hear, new RideSlots(mirror)),
        support::hear,
        journal.getIfAvailable());
  }

  @Bean
  Engine engine(
      Stores stores,
      OrderBook book, // its rows ride with the first commit of every order
      OrderSagas sagas,
      SagaDefinition<RefundTask> refundSaga,
      Noticeboard noticeboard,
      List<EngineListener> listeners,
      Ration ration,
      ObjectProvider<Doorbell> doorbell,
      PlatformClock clock,
      Settings settings) {
    var setup =
        EngineSetup.on(stores.sagas(), stores.outbox(), new JacksonDataCodec())
            .define(sagas.all().toArray(SagaDefinition[]::new))
            .define(refundSaga)
            .publishTo(noticeboard)
            .consumers(stores.consumers())
            .settings(engineSettings(settings))
            .listener(listeners.toArray(EngineListener[]::new))
            .nodeName(nodeName(settings))
            .doorbell(doorbell.getIfAvailable(() -> Doorbell.NONE));
    PartnerLanes.of(settings.partners()).forEach(setup::lane);
    if (!settings.is(Role.WORKER)) setup.runsNone();
    var engine = setup.open();
    clock.follow(engine.clock());
    if (settings.is(Role.WORKER)) ration.follow(engine::load);
    return engine;
  }

  /// Where orders are only accepted, those that nobody has begun count as too much to do.
  @Bean
  @Conditional(Here.Front.class)
  QueueDepth queueDepth(Ration ration, Stores stores, InstantSource clock) {
    var depth = new QueueDepth(stores, clock);
    ration.follow(depth::last);
    return depth;
  }

  /// By which an operator finds the process: its number, its machine, and what it does.
  private static String nodeName(Settings settings) {
    return ManagementFactory.getRuntimeMXBean().getName() + " " + settings.roles();
  }

  private static EngineSettings engineSettings(Settings settings) {
    var standard = EngineSettings.standard().running(settings.saga().runningMax());
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
      RideSaga rides,
      AreaBook areas,
      InstantSource clock,
      Settings settings) {
    boolean reserveFirst = settings.checkout().order() == CheckoutSettings.Order.RESERVE_FIRST;
    var ids = new OrderIds(clock, new SecureRandom());
    return new OrderDesk(
        engine, reader, book, ids, sagas, reserveFirst, id -> story(rides, areas, id), clock);
  }

  /// Whether the partner is asked for the job id is rolled out by percentage, and kept for each
  /// ride.
  private static SagaDefinition<Order> story(RideSaga rides, AreaBook areas, String orderId) {
    boolean asks = areas.current().flags().proactiveRetrieval().isFor(orderId);
    return asks ? rides.asking() : rides.waiting();
  }

  @Bean
  KeyDesk keyDesk(OrderDesk desk, KeyHints hints, IdempotencyHits hits) {
    return new KeyDesk(desk, hints, hits);
  }

  @Bean
  RideAdmission rideAdmission(
      AreaBook book,
      AreaDesk desk,
      AreaAnswers answers,
      AdmissionJournal journal,
      CustomerLoyalty loyalty) {
    return new RideAdmission(book, desk, answers, journal, loyalty);
  }

  @Bean
  @Conditional(Here.Worker.class)
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
    return settings.is(Role.SIMULATOR) ? SimulatedBank::knows : method -> true;
  }
}
