package dev.tuntas.orders;

import dev.tuntas.bus.CloudEvent;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.MessageBook;
import dev.tuntas.bus.MessageBook.Expiry;
import dev.tuntas.engine.Outbox;
import dev.tuntas.orders.OrderEvent.Reason;
import dev.tuntas.store.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Tells the world of orders: each notice becomes a CloudEvent of its type in the book of messages.
/// Where the inventory is driven by messages it is told, too, what it must know of an order.
public final class OrderAnnouncements implements Noticeboard.Journal {

  public static final String CREATED = "ORDER_CREATED";
  public static final String ORDER_CONFIRMED = "ORDER_CONFIRMED";
  public static final String TIMEOUT = "ORDER_TIMEOUT";
  public static final String PAYMENT_FAILED = "PAYMENT_FAILED";

  /// What the world is told of.
  public static final Set<String> KINDS =
      Set.of(
          OrderEvent.ACCEPTED,
          OrderEvent.MOVED,
          OrderEvent.CONFIRMED,
          OrderEvent.FAILED,
          OrderEvent.REFUNDED,
          OrderEvent.CANCELLED,
          OrderEvent.JOB_ID_RETRIEVED,
          OrderEvent.NO_JOB_ID,
          OrderEvent.MANUAL_ACTION);

  /// What the inventory is told of.
  public static final Set<String> TO_INVENTORY =
      Set.of(CREATED, ORDER_CONFIRMED, TIMEOUT, PAYMENT_FAILED);

  private static final String SOURCE = "/tuntas/orders";
  private static final int NOTICES_OF_A_VERSION_MAX = 100;

  private final MessageBook book;
  private final InstantSource clock;
  private final @Nullable Duration expiresAfter;

  /// @param expiresAfter how long after an order was accepted the inventory may hear of it; without
  ///   it, the inventory is not told at all
  public OrderAnnouncements(
      MessageBook book, InstantSource clock, @Nullable Duration expiresAfter) {
    this.book = book;
    this.clock = clock;
    this.expiresAfter = expiresAfter;
  }

  @Override
  public void write(Session session, List<Outbox.Entry> notices) throws SQLException {
    var now = clock.instant();
    var messages = new ArrayList<Message>();
    for (var notice : notices) {
      if (!isTold(notice)) continue;
      var event = event(notice);
      messages.add(event.message(false, null));
      if (expiresAfter != null) tellInventory(session, notice, event, expiresAfter);
    }
    book.putAll(session, messages, now);
  }

  /// What the engine says of its own is nobody's business.
  private static boolean isTold(Outbox.Entry notice) {
    boolean ofOrders = notice.type().startsWith("order.") || notice.type().startsWith("support.");
    return ofOrders && OrderIds.isOne(OrderSagas.orderOf(notice.sagaId()));
  }

  private static CloudEvent event(Outbox.Entry notice) {
    var order = OrderSagas.orderOf(notice.sagaId());
    var data = CloudEvent.object(notice.body());
    data.put("order_id", order);
    return new CloudEvent(
        notice.eventId(), SOURCE, notice.type(), order, notice.at(), sequence(notice), data);
  }

  private static long sequence(Outbox.Entry notice) {
    long version =
        OrderSagas.isCancellation(notice.sagaId())
            ? OrderNotices.AFTER_THE_ORDER + notice.version()
            : notice.version();
    return version * NOTICES_OF_A_VERSION_MAX + notice.seq() + 1;
  }

  private void tellInventory(
      Session session, Outbox.Entry notice, CloudEvent event, Duration expires)
      throws SQLException {
    if (event.data().path("kind").asString("").equals("ride")) return;
    var order = event.subject();
    switch (notice.type()) {
      case OrderEvent.ACCEPTED -> {
        var created = said(CREATED, CREATED + "/" + order, event);
        var instead = said(TIMEOUT, MessageBook.insteadOf(created.id()), event);
        var expiry = new Expiry(event.time().plus(expires), TIMEOUT, instead.write());
        book.put(session, created.message(false, null), expiry, clock.instant());
      }
      case OrderEvent.CONFIRMED -> put(session, ORDER_CONFIRMED, event);
      case OrderEvent.FAILED -> {
        if (isUnpaid(event.data())) put(session, PAYMENT_FAILED, event);
      }
      default -> {}
    }
  }

  private static boolean isUnpaid(JsonNode data) {
    var reason = data.path("reason");
    var step = reason.path("step").asStringOpt().orElse(null);
    return new Reason(reason.path("code").asString(""), "", step).isPayment();
  }

  private void put(Session session, String kind, CloudEvent event) throws SQLException {
    var said = said(kind, kind + "/" + event.subject(), event);
    book.put(session, said.message(false, null), null, clock.instant());
  }

  private static CloudEvent said(String kind, String id, CloudEvent event) {
    var order = event.subject();
    return CloudEvent.of(id, SOURCE, kind, order, event.time(), Map.of("order_id", order));
  }
}
