package dev.tuntas.server.bus;

import dev.tuntas.bus.Bus;
import dev.tuntas.bus.DeadMessages;
import dev.tuntas.bus.MessageBook;
import dev.tuntas.bus.Once;
import dev.tuntas.bus.Recent;
import dev.tuntas.bus.Subscription;
import dev.tuntas.inventory.Inventory;
import dev.tuntas.inventory.MessageInventory;
import dev.tuntas.inventory.StockCommands;
import dev.tuntas.inventory.StockReplies;
import dev.tuntas.inventory.StockRoom;
import dev.tuntas.server.settings.Settings;
import dev.tuntas.store.Tables;
import java.time.InstantSource;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/// An inventory that is driven by messages: both sides of it, each where it belongs.
@Configuration(proxyBeanMethods = false)
@Conditional(BrokerConfigured.DrivesInventory.class)
class InventoryBusWiring {

  /// A queue that this process listens to, or not.
  record Listening(List<Subscription> subscriptions) implements AutoCloseable {

    static final Listening TO_NONE = new Listening(List.of());

    static Listening to(Subscription... subscriptions) {
      return new Listening(List.of(subscriptions));
    }

    @Override
    public void close() {
      for (var subscription : subscriptions) subscription.close();
    }
  }

  /// What both sides remember of messages.
  private static Once once(
      String queue,
      Tables tables,
      ObjectProvider<Recent> recent,
      BusMeters meters,
      InstantSource clock) {
    return new Once(tables, queue, recent.getIfAvailable(() -> Recent.NONE), meters, clock);
  }

  @Bean
  StockReplies stockReplies(Tables busTables, InstantSource clock) {
    return new StockReplies(busTables, clock);
  }

  /// Whoever runs orders hears the answers, and keeps what was given up on.
  @Bean
  Listening stockAnswers(
      Settings settings,
      Bus bus,
      StockReplies replies,
      Tables busTables,
      ObjectProvider<Recent> recent,
      BusMeters meters,
      InstantSource clock) {
    if (!settings.roles().contains(Settings.Role.WORKER)) return Listening.TO_NONE;
    var once = once(StockReplies.QUEUE, busTables, recent, meters, clock);
    return Listening.to(
        replies.listen(bus, once),
        DeadMessages.collect(bus, StockReplies.QUEUE, StockReplies.KINDS, busTables),
        DeadMessages.collect(bus, StockCommands.QUEUE, StockCommands.KINDS, busTables));
  }

  @Bean
  DrivenInventory drivenInventory(
      Tables busTables,
      MessageBook book,
      StockReplies replies,
      Settings settings,
      InstantSource clock) {
    var standard = MessageInventory.Settings.standard();
    var wanted =
        new MessageInventory.Settings(
            settings.inventory().commandExpiry(), standard.answerWithin(), standard.repeatAfter());
    return called -> new MessageInventory(busTables, book, replies, called, wanted, clock);
  }

  /// The inventory itself, where it is.
  @Bean
  Listening stockCommands(
      Bus bus,
      @Qualifier("stockRoom") ObjectProvider<StockRoom> room,
      @Qualifier("ownInventory") ObjectProvider<Inventory> inventory,
      Tables busTables,
      ObjectProvider<Recent> recent,
      BusMeters meters,
      InstantSource clock) {
    var here = room.getIfAvailable();
    if (here == null) return Listening.TO_NONE;
    var commands = new StockCommands(inventory.getObject(), here, bus, clock);
    return Listening.to(
        commands.listen(once(StockCommands.QUEUE, busTables, recent, meters, clock)));
  }
}
