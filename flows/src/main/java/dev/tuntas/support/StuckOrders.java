package dev.tuntas.support;

import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.Trouble;
import dev.tuntas.notify.Channel;
import dev.tuntas.notify.Message.Alert;
import dev.tuntas.orders.OrderBook;
import dev.tuntas.orders.Stuck;
import dev.tuntas.orders.UnreadableOrderException;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.store.Tables;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tickets for orders that are stuck. When none can be written people hear of it straight, by log
/// and by the support team's channels, once; the ticket follows when it can.
public final class StuckOrders implements EngineListener {

  private static final Logger log = LoggerFactory.getLogger(StuckOrders.class);

  /// What is beyond it is in the log and stays held.
  private static final int WAITING_MAX = 1_000;

  private record Case(Stuck stuck, boolean told) {}

  private final Tables tables;
  private final OrderBook book;
  private final SupportDesk desk;
  private final List<Channel> channels;
  private final InstantSource clock;
  private final Map<String, Case> waiting = new ConcurrentHashMap<>();
  private final Trouble trouble = new Trouble(log, "Opening a ticket");

  public StuckOrders(
      Tables tables,
      OrderBook book,
      SupportDesk desk,
      List<Channel> channels,
      InstantSource clock) {
    this.tables = tables;
    this.book = book;
    this.desk = desk;
    this.channels =
        channels.stream().filter(it -> it.audience() == Channel.Audience.SUPPORT).toList();
    this.clock = clock;
  }

  @Override
  public void stuck(SagaDefinition<?> saga, String id, long version, Failure why) {
    Stuck.of(id, version, why, clock.instant()).ifPresent(this::add);
  }

  @Override
  public void published(Outbox.Entry notice, @Nullable Throwable failure, boolean dead) {
    if (dead) Stuck.of(notice).ifPresent(this::add);
  }

  /// Somebody asked for an order that cannot be read.
  public void unreadable(UnreadableOrderException failure) {
    add(Stuck.of(failure, clock.instant()));
  }

  private void add(Stuck stuck) {
    if (waiting.size() < WAITING_MAX) {
      waiting.putIfAbsent(stuck.eventId(), new Case(stuck, false));
    } else {
      log(stuck);
    }
  }

  /// Opens the tickets that can be opened. To be called every few seconds, by one thread.
  public void report() {
    for (var it : List.copyOf(waiting.values())) {
      if (opened(it.stuck)) {
        waiting.remove(it.stuck.eventId());
      } else if (!it.told) {
        waiting.put(it.stuck.eventId(), new Case(it.stuck, true));
        log(it.stuck);
        tell(it.stuck);
      }
    }
  }

  private boolean opened(Stuck stuck) {
    try {
      tables.write(
          "open a ticket for an order that is stuck",
          session -> {
            var event = book.stuck(session, stuck);
            if (event.isPresent()) desk.hear(session, event.get());
            return true;
          });
      trouble.worked();
      return true;
    } catch (RuntimeException e) {
      trouble.failed(e);
      return false;
    }
  }

  private static void log(Stuck stuck) {
    log.atError()
        .addKeyValue("order_id", stuck.orderId())
        .addKeyValue("alert", stuck.alert())
        .log("{}: {}. There is no ticket yet", stuck.alert(), stuck.reason());
  }

  private void tell(Stuck stuck) {
    var parcel =
        new Channel.Parcel("straight-" + stuck.eventId(), List.of(alert(stuck)), stuck.at());
    for (var channel : channels) {
      try {
        var receipt = channel.send(parcel);
        if (!(receipt instanceof Channel.Receipt.Sent)) notTold(channel, receipt.toString());
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return;
      } catch (Exception e) {
        notTold(channel, e.toString());
      }
    }
  }

  private static void notTold(Channel channel, String why) {
    log.warn("{} was not told straight: {}", channel.name(), why);
  }

  private static Alert alert(Stuck stuck) {
    var type = TicketType.valueOf(stuck.alert());
    return new Alert(
        type.title(),
        "none yet: the database cannot be written",
        stuck.orderId(),
        "UNKNOWN",
        stuck.reason(),
        "UNKNOWN",
        null,
        type.actions(),
        "High",
        SupportDesk.SLA_TEXT);
  }
}
