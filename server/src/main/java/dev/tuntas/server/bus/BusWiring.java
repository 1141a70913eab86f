package dev.tuntas.server.bus;

import dev.tuntas.adapters.bus.KafkaAccess;
import dev.tuntas.adapters.bus.KafkaBus;
import dev.tuntas.adapters.bus.RabbitAccess;
import dev.tuntas.adapters.bus.RabbitBus;
import dev.tuntas.bus.Attempts.Patience;
import dev.tuntas.bus.Bus;
import dev.tuntas.bus.BusDoorbell;
import dev.tuntas.bus.DoorbellListener;
import dev.tuntas.bus.MessageBook;
import dev.tuntas.bus.MessageRelay;
import dev.tuntas.bus.TimeoutWorker;
import dev.tuntas.engine.Engine;
import dev.tuntas.inventory.StockCommands;
import dev.tuntas.inventory.StockReplies;
import dev.tuntas.orders.OrderAnnouncements;
import dev.tuntas.orders.OrderReader;
import dev.tuntas.server.observe.Traces;
import dev.tuntas.server.rounds.Rounds;
import dev.tuntas.server.settings.Here;
import dev.tuntas.server.settings.InventorySettings.DrivenBy;
import dev.tuntas.server.settings.Settings;
import dev.tuntas.store.Stores;
import dev.tuntas.store.Tables;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/// The bus, and what goes out over it, where a broker is configured.
@Configuration(proxyBeanMethods = false)
@Conditional(BrokerConfigured.class)
class BusWiring {

  private static final Duration PUBLISHED_KEPT = Duration.ofDays(1);
  private static final Duration ROOM_EVERY = Duration.ofMillis(100);

  /// Beside the orders, so that a transaction may hold both.
  @Bean
  Tables busTables(Stores stores) {
    return stores.tables(MessageBook.TABLES);
  }

  @Bean
  BusMeters busMeters(MeterRegistry registry) {
    return new BusMeters(registry);
  }

  @Bean
  Bus bus(Settings settings, BusMeters meters, InstantSource clock) {
    var servers = settings.kafka().bootstrapServers();
    if (servers != null) {
      var standard = KafkaAccess.of(servers);
      var access = new KafkaAccess(servers, settings.kafka().partitions(), standard.patience());
      return new KafkaBus(access, Patience.standard(), meters, clock);
    }
    var url = Objects.requireNonNull(settings.rabbitmq().url());
    var access = RabbitAccess.of(url, settings.rabbitmq().exchangeName());
    return new RabbitBus(access, Patience.standard(), meters, clock);
  }

  @Bean
  MessageBook messageBook() {
    return new MessageBook();
  }

  @Bean
  OrderAnnouncements orderAnnouncements(MessageBook book, InstantSource clock, Settings settings) {
    var inventory = settings.inventory();
    var told = inventory.drivenBy() == DrivenBy.MESSAGES ? inventory.commandExpiry() : null;
    return new OrderAnnouncements(book, clock, told);
  }

  @Bean
  MessageRelay messageRelay(Tables busTables, MessageBook book, Bus bus, InstantSource clock) {
    var name = new byte[8];
    new SecureRandom().nextBytes(name);
    var holder = HexFormat.of().formatHex(name);
    return new MessageRelay(busTables, book, bus, clock, holder, PUBLISHED_KEPT);
  }

  @Bean
  BusRounds busRounds(
      MessageRelay relay,
      Tables busTables,
      MessageBook book,
      BusMeters meters,
      InstantSource clock,
      Settings settings) {
    return new BusRounds(
        relay,
        new TimeoutWorker(busTables, book, meters, clock),
        settings.timeoutWorker().interval(),
        busTables,
        clock);
  }

  @Bean
  @Conditional(Here.Orders.class)
  OrderTraces orderTraces(Traces traces, OrderReader orders) {
    return new OrderTraces(traces, orders);
  }

  @Bean
  @Conditional(Here.Orders.class)
  BusDoorbell busDoorbell(Bus bus, InstantSource clock, OrderTraces traces) {
    return new BusDoorbell(bus, clock, traces);
  }

  @Bean
  @Conditional(Here.Worker.class)
  DoorbellListener doorbellListener(Bus bus, Engine engine, OrderTraces traces) {
    return new DoorbellListener(bus, engine::answer, traces);
  }

  @Bean
  @Conditional(Here.Worker.class)
  Rounds doorbellRounds(DoorbellListener listener) {
    return new Rounds(
        "doorbell",
        ROOM_EVERY,
        () -> {
          listener.look();
          return false;
        });
  }

  @Bean
  BrokerWatch busHealthIndicator(Bus bus, Settings settings) {
    return new BrokerWatch(bus, kinds(settings));
  }

  /// All that may ever be said.
  private static Set<String> kinds(Settings settings) {
    var kinds = new TreeSet<>(OrderAnnouncements.KINDS);
    kinds.addAll(BusDoorbell.KINDS);
    if (settings.inventory().drivenBy() == DrivenBy.MESSAGES) {
      kinds.addAll(OrderAnnouncements.TO_INVENTORY);
      kinds.addAll(StockCommands.KINDS);
      kinds.addAll(StockReplies.KINDS);
    }
    return kinds;
  }

  @Bean
  MeterBinder busGauges(Tables busTables, MessageBook book) {
    return registry ->
        Gauge.builder("bus_outbox_waiting", () -> waiting(busTables, book))
            .description("Messages that wait to be published")
            .register(registry);
  }

  /// What cannot be read is not a number.
  private static Number waiting(Tables tables, MessageBook book) {
    try {
      return tables.read("count messages", book::waiting);
    } catch (RuntimeException _) {
      return Double.NaN;
    }
  }
}
