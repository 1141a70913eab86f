package dev.tuntas.orders;

import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.Publisher;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.sql.SQLException;
import java.util.List;

/// Where the notices of orders go first: into the lists, to the support desk, to whoever else
/// listens inside, all in one transaction. A notice may come twice: listeners do their work once.
public final class Noticeboard implements Publisher {

  /// Hears of orders inside the transaction that consumes the notice, and must bear repetition.
  @FunctionalInterface
  public interface Listener {
    void hear(Session session, OrderEvent event) throws SQLException;
  }

  private final Tables tables;
  private final OrderBook book;
  private final List<Listener> listeners;

  public Noticeboard(Tables tables, OrderBook book, List<Listener> listeners) {
    this.tables = tables;
    this.book = book;
    this.listeners = List.copyOf(listeners);
  }

  @Override
  public void publish(Outbox.Entry notice) {
    publishAll(List.of(notice));
  }

  @Override
  public boolean publishAll(List<Outbox.Entry> notices) {
    var events = notices.stream().filter(Noticeboard::isOfOrder).map(OrderNotices::read).toList();
    if (events.stream().allMatch(event -> event.type().equals(OrderEvent.ACCEPTED))) return true;
    return tables.write(
        "hear of " + events.size() + " orders",
        session -> {
          for (var event : events) hear(session, event);
          return true;
        });
  }

  private static boolean isOfOrder(Outbox.Entry notice) {
    return OrderIds.isOne(notice.sagaId());
  }

  private void hear(Session session, OrderEvent event) throws SQLException {
    book.hear(session, event);
    for (var listener : listeners) listener.hear(session, event);
  }
}
