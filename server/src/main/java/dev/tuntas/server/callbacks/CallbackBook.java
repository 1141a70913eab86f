package dev.tuntas.server.callbacks;

import dev.tuntas.engine.Engine;
import dev.tuntas.money.Money;
import dev.tuntas.orders.OrderReader;
import dev.tuntas.orders.UnreadableOrderException;
import dev.tuntas.rides.DispatchEvent;
import dev.tuntas.store.Session;
import dev.tuntas.store.Stores;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import dev.tuntas.support.SupportDesk;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Takes callbacks once each: what was delivered, and what the order is told of it, are written
/// together.
public final class CallbackBook {

  public static final TableSet TABLES = TableSet.of("callbacks");

  private static final String ADD =
      """
      insert into callbacks_delivery (partner, id, fingerprint, event, order_id, at)
      values (?, ?, ?, ?, ?, ?) on conflict do nothing
      """;
  private static final String FORGET =
      """
      delete from callbacks_delivery where partner = ? and id in
        (select id from callbacks_delivery where partner = ? and at < ? order by at limit ?)
      """;

  /// What became of a callback.
  enum Result {
    APPLIED,
    DUPLICATE,
    /// There is no such order, or not yet: it will hear of it when it comes.
    PARKED,
    /// Of a kind that we do not know.
    IGNORED,
    /// It names another price than the order has: a person looks, and the order hears nothing.
    DISPUTED,
    /// Something else was said under the same name.
    CONFLICT
  }

  /// @param fingerprint the same for every way to write the same body
  /// @param event empty if it is of a kind that we do not know
  record Delivery(
      String id,
      String fingerprint,
      String eventName,
      Optional<DispatchEvent> event,
      NamedPrice price) {

    @Nullable String orderId() {
      return event.map(DispatchEvent::orderId).orElse(null);
    }
  }

  private final Tables tables;
  private final Stores stores;
  private final OrderReader orders;
  private final Engine engine;
  private final SupportDesk support;
  private final InstantSource clock;

  public CallbackBook(
      Tables tables,
      Stores stores,
      OrderReader orders,
      Engine engine,
      SupportDesk support,
      InstantSource clock) {
    this.tables = tables;
    this.stores = stores;
    this.orders = orders;
    this.engine = engine;
    this.support = support;
    this.clock = clock;
  }

  Result take(Delivery delivery) {
    var now = clock.instant();
    boolean disputed = isDisputed(delivery);
    var result = tables.write("take a callback", session -> take(session, delivery, disputed, now));
    if (result != Result.APPLIED) return result;
    var order = String.valueOf(delivery.orderId());
    engine.told(order);
    return stores.sagas().find(order).isPresent() ? Result.APPLIED : Result.PARKED;
  }

  /// Whether it names another price than the order has, which never changes.
  private boolean isDisputed(Delivery delivery) {
    var order = delivery.orderId();
    if (order == null || delivery.price().isNone()) return false;
    return total(order).filter(delivery.price()::contradicts).isPresent();
  }

  private Result take(Session session, Delivery delivery, boolean disputed, Instant now)
      throws SQLException {
    int added =
        session.update(
            ADD,
            DispatchEvent.SOURCE,
            delivery.id(),
            delivery.fingerprint(),
            delivery.eventName(),
            delivery.orderId(),
            now);
    if (added == 0) return known(session, delivery, now);
    if (delivery.event().isEmpty()) return Result.IGNORED;
    var event = delivery.event().get();
    if (disputed) {
      var reason = "The partner names another price than ours: callback " + delivery.id();
      support.unexpected(session, event.orderId(), "callback-" + delivery.id(), reason, now);
      return Result.DISPUTED;
    }
    for (var signal : event.signals()) stores.say(session, event.orderId(), signal, now);
    return Result.APPLIED;
  }

  /// Nothing also of an order that cannot be read: what it is told waits for it.
  private Optional<Money> total(String orderId) {
    try {
      return orders.find(orderId).map(view -> view.order().total());
    } catch (UnreadableOrderException _) {
      return Optional.empty();
    }
  }

  private Result known(Session session, Delivery delivery, Instant now) throws SQLException {
    var before =
        session.first(
            "select fingerprint from callbacks_delivery where partner = ? and id = ?",
            row -> row.getString(1),
            DispatchEvent.SOURCE,
            delivery.id());
    if (before.filter(delivery.fingerprint()::equals).isPresent()) return Result.DUPLICATE;
    var order = delivery.orderId();
    if (order != null) {
      var reason = "The partner said two things under one name: callback " + delivery.id();
      support.unexpected(session, order, "callback-" + delivery.id(), reason, now);
    }
    return Result.CONFLICT;
  }

  /// Forgets callbacks that came before then; returns how many there were, at most so many.
  int forget(Instant before, int limit) {
    return tables.write(
        "forget callbacks",
        session ->
            session.update(FORGET, DispatchEvent.SOURCE, DispatchEvent.SOURCE, before, limit));
  }
}
