package dev.tuntas.notify;

import dev.tuntas.notify.Channel.Audience;
import dev.tuntas.store.JacksonDataCodec;
import dev.tuntas.store.Session;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/// Takes messages in the caller's transaction: what is committed there will be delivered, once for
/// every cause, channel and recipient.
public final class Postbox {

  private static final String ADD =
      """
      insert into support_delivery
        (cause, channel, recipient, order_id, kind, body, created_at, next_attempt_at)
      values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (cause, channel, recipient) do nothing
      """;

  private static final JacksonDataCodec JSON = new JacksonDataCodec();

  private final List<Channel> channels;

  public Postbox(List<Channel> channels) {
    this.channels = List.copyOf(channels);
  }

  /// Tells the support team, by every channel of theirs.
  public void alert(Session session, String cause, Message.Alert alert, Instant now)
      throws SQLException {
    var body = JSON.encode(alert, Message.Alert.class);
    add(session, Audience.SUPPORT, new Sheet(cause, "alert", alert.orderId(), body), now);
  }

  /// Tells the customer, by every channel that customers have.
  public void tell(Session session, String cause, Message.CustomerNotice notice, Instant now)
      throws SQLException {
    var body = JSON.encode(notice, Message.CustomerNotice.class);
    add(session, Audience.CUSTOMER, new Sheet(cause, "notice", notice.orderId(), body), now);
  }

  private record Sheet(String cause, String kind, String orderId, String body) {}

  private void add(Session session, Audience audience, Sheet sheet, Instant now)
      throws SQLException {
    for (var channel : channels) {
      if (channel.audience() != audience) continue;
      var recipient = audience == Audience.SUPPORT ? "support" : "customer";
      session.update(
          ADD,
          sheet.cause,
          channel.name(),
          recipient,
          sheet.orderId,
          sheet.kind,
          sheet.body,
          now,
          now);
    }
  }

  /// The message of a delivery. What is none is an [IllegalArgumentException].
  static Message message(String kind, String body) {
    return switch (kind) {
      case "alert" -> JSON.decode(body, Message.Alert.class);
      case "notice" -> JSON.decode(body, Message.CustomerNotice.class);
      default -> throw new IllegalArgumentException("no message is of the kind '" + kind + "'");
    };
  }
}
