package dev.tuntas.adapters.notify;

import dev.tuntas.notify.Channel;
import dev.tuntas.notify.Contacts;
import dev.tuntas.notify.CustomerText;
import dev.tuntas.notify.Message.CustomerNotice;
import dev.tuntas.notify.Message.Topic;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// Tells the shop's own systems what its customers should know, by a signed webhook. `webhook-id`
/// is the cause: what comes twice is recognised by it.
public final class CustomerWebhookChannel implements Channel {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final String url;
  private final WebhookSignature signature;
  private final OutgoingPost post;
  private final Contacts contacts;

  public CustomerWebhookChannel(
      String url, WebhookSignature signature, OutgoingPost post, Contacts contacts) {
    this.contacts = contacts;
    this.url = url;
    this.signature = signature;
    this.post = post;
  }

  @Override
  public String name() {
    return "customer-webhook";
  }

  @Override
  public Audience audience() {
    return Audience.CUSTOMER;
  }

  @Override
  public Receipt send(Parcel parcel) {
    var body = JSON.writeValueAsBytes(body(Letters.notice(parcel)));
    long timestamp = parcel.at().getEpochSecond();
    var headers = new LinkedHashMap<String, String>();
    headers.put("webhook-id", parcel.cause());
    headers.put("webhook-timestamp", Long.toString(timestamp));
    headers.put("webhook-signature", signature.of(parcel.cause(), timestamp, body));
    return post.send(url, headers, body, parcel.at());
  }

  private Map<String, Object> body(CustomerNotice notice) {
    var data = new LinkedHashMap<String, @Nullable Object>();
    data.put("order_id", notice.orderId());
    data.put("kind", notice.orderKind());
    data.put("status", notice.status());
    data.put("recovery_confirmed", notice.topic() == Topic.RECOVERED_LATE);
    var amount = notice.amount();
    if (amount != null) {
      data.put("amount", Map.of("amount", amount.amount(), "currency", amount.currency()));
    }
    if (notice.topic() == Topic.FAILED && notice.reason() != null) {
      data.put("reason", notice.reason());
    }
    if (notice.topic().isPush()) {
      var text = CustomerText.of(notice, contacts.of(notice.orderId()).orElse(null));
      data.put("channel", "push");
      data.put("title", text.subject());
      data.put("body", text.body());
    }
    return Map.of("type", notice.topic().type(), "timestamp", notice.at().toString(), "data", data);
  }
}
