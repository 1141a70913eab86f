package dev.tuntas.server.bus;

import dev.tuntas.bus.Bus;
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
import org.jspecify.annotations.Nullable;
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
  record Listening(@Nullable Subscription subscription) implements AutoCloseable {
    @Override
    public void close() {
      if (subscription != null) subscription.close();
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

  /// Whoever runs orders hears the answers.
  @Bean
  Listening stockAnswers(
      Settings settings,
      Bus bus,
      StockReplies replies,
      Tables busTables,
      ObjectProvider<Recent> recent,
      BusMeters meters,
      InstantSource clock) {
    if (!settings.roles().contains(Settings.Role.WORKER)) return new Listening(null);
    var once = once(StockReplies.QUEUE, busTables, recent, meters, clock);
    return new Listening(replies.listen(bus, once));
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
    if (here == null) return new Listening(null);
    var commands = new StockCommands(inventory.getObject(), here, bus, clock);
    return new Listening(
        commands.listen(once(StockCommands.QUEUE, busTables, recent, meters, clock)));
  }
}
