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

  /// The same for notices that are not about an order.
  @FunctionalInterface
  public interface OtherListener {
    void hear(Session session, Outbox.Entry notice) throws SQLException;
  }

  private final Tables tables;
  private final OrderBook book;
  private final List<Listener> listeners;
  private final OtherListener others;

  public Noticeboard(
      Tables tables, OrderBook book, List<Listener> listeners, OtherListener others) {
    this.tables = tables;
    this.book = book;
    this.listeners = List.copyOf(listeners);
    this.others = others;
  }

  @Override
  public void publish(Outbox.Entry notice) {
    publishAll(List.of(notice));
  }

  @Override
  public boolean publishAll(List<Outbox.Entry> notices) {
    // That an order was accepted is known: the order itself says so.
    var news = notices.stream().filter(it -> !it.type().equals(OrderEvent.ACCEPTED)).toList();
    if (news.isEmpty()) return true;
    return tables.write(
        "hear of " + news.size() + " events",
        session -> {
          for (var notice : news) {
            if (OrderIds.isOne(OrderSagas.orderOf(notice.sagaId())))
              hear(session, OrderNotices.read(notice));
            else others.hear(session, notice);
          }
          return true;
        });
  }

  private void hear(Session session, OrderEvent event) throws SQLException {
    book.hear(session, event);
    for (var listener : listeners) listener.hear(session, event);
  }
}
