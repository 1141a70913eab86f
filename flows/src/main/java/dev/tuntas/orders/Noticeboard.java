package dev.tuntas.orders;

import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.Publisher;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where the notices of orders go first: into the lists, to the support desk, to whoever else
/// listens inside, all in one transaction. A notice may come twice: listeners do their work once.
public final class Noticeboard implements Publisher {

  /// Hears of orders inside the transaction that consumes the notice, and must bear repetition.
  @FunctionalInterface
  public interface Listener {

    Runnable NOTHING = () -> {};

    void hear(Session session, OrderEvent event) throws SQLException;

    /// The same; returns what is left to do once that is committed, and gets lost if the process
    /// dies before.
    default Runnable hearing(Session session, OrderEvent event) throws SQLException {
      hear(session, event);
      return NOTHING;
    }
  }

  /// The same for notices that are not about an order.
  @FunctionalInterface
  public interface OtherListener {
    void hear(Session session, Outbox.Entry notice) throws SQLException;
  }

  /// Hears of everything, also that an order was accepted, in the same transaction, and must bear
  /// repetition.
  @FunctionalInterface
  public interface Journal {
    void write(Session session, List<Outbox.Entry> notices) throws SQLException;
  }

  private final Tables tables;
  private final OrderBook book;
  private final List<Listener> listeners;
  private final OtherListener others;
  private final @Nullable Journal journal;

  public Noticeboard(
      Tables tables, OrderBook book, List<Listener> listeners, OtherListener others) {
    this(tables, book, listeners, others, null);
  }

  public Noticeboard(
      Tables tables,
      OrderBook book,
      List<Listener> listeners,
      OtherListener others,
      @Nullable Journal journal) {
    this.tables = tables;
    this.book = book;
    this.listeners = List.copyOf(listeners);
    this.others = others;
    this.journal = journal;
  }

  @Override
  public void publish(Outbox.Entry notice) {
    publishAll(List.of(notice));
  }

  @Override
  public boolean publishAll(List<Outbox.Entry> notices) {
    // That an order was accepted is known: the order itself says so.
    var news = notices.stream().filter(it -> !it.type().equals(OrderEvent.ACCEPTED)).toList();
    if (news.isEmpty() && journal == null) return true;
    var left =
        tables.write(
            "hear of " + notices.size() + " events",
            session -> {
              if (journal != null) journal.write(session, notices);
              return hear(session, news);
            });
    left.forEach(Runnable::run);
    return true;
  }

  private List<Runnable> hear(Session session, List<Outbox.Entry> notices) throws SQLException {
    var events = new ArrayList<OrderEvent>();
    for (var notice : notices) {
      if (!isOfOrder(notice)) continue;
      if (Stuck.isSaidBy(notice)) book.stuck(session, Stuck.read(notice)).ifPresent(events::add);
      else events.add(OrderNotices.read(notice));
    }
    book.hear(session, events);
    var left = new ArrayList<Runnable>();
    for (var event : events) {
      for (var listener : listeners) left.add(listener.hearing(session, event));
    }
    for (var notice : notices) if (!isOfOrder(notice)) others.hear(session, notice);
    return left;
  }

  private static boolean isOfOrder(Outbox.Entry notice) {
    return OrderIds.isOne(OrderSagas.orderOf(notice.sagaId()));
  }
}
