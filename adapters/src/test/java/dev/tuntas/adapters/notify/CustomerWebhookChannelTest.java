package dev.tuntas.adapters.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.notify.Channel.Receipt;
import dev.tuntas.notify.Contacts.Contact;
import dev.tuntas.notify.Message.Topic;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class CustomerWebhookChannelTest {

  private static final String SECRET = "a secret of the shop's own";

  private final Receiver receiver;
  private final CustomerWebhookChannel webhook;

  CustomerWebhookChannelTest() throws Exception {
    receiver = Receiver.open();
    webhook =
        new CustomerWebhookChannel(
            receiver.url(),
            new WebhookSignature(SECRET),
            OutgoingPost.to(OutgoingUrls.of(true)),
            _ -> Optional.of(new Contact(null, null, "id", null)));
  }

  @AfterEach
  void close() {
    receiver.close();
  }

  @Test
  void the_signature_is_that_of_standard_webhooks() throws Exception {
    assertThat(webhook.send(Samples.parcel(Samples.notice(Topic.CONFIRMED))))
        .isEqualTo(new Receipt.Sent());
    var request = receiver.requests.getFirst();
    var timestamp = Long.toString(Samples.NOW.getEpochSecond());
    assertThat(request.headers())
        .containsEntry("Webhook-id", "ord_1/7/0")
        .containsEntry("Webhook-timestamp", timestamp);
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    var signed = "ord_1/7/0." + timestamp + "." + request.text();
    var expected =
        Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
    assertThat(request.headers()).containsEntry("Webhook-signature", "v1," + expected);
  }

  @Test
  void a_repetition_has_the_same_id() {
    var parcel = Samples.parcel(Samples.notice(Topic.FAILED));
    receiver.status = 500;
    webhook.send(parcel);
    receiver.status = 200;
    webhook.send(parcel);
    assertThat(receiver.requests)
        .extracting(request -> request.headers().get("Webhook-id"))
        .containsExactly("ord_1/7/0", "ord_1/7/0");
  }

  @Test
  void the_body_names_the_order_and_no_person() {
    webhook.send(Samples.parcel(Samples.notice(Topic.RECOVERED_LATE)));
    var body = JsonMapper.builder().build().readTree(receiver.requests.getFirst().body());
    assertThat(body.path("type").asString()).isEqualTo("order.confirmed");
    var data = body.path("data");
    assertThat(data.path("order_id").asString()).isEqualTo("ord_1");
    assertThat(data.path("recovery_confirmed").asBoolean()).isTrue();
    assertThat(data.path("amount").path("amount").asLong()).isEqualTo(150_000);
    assertThat(data.propertyNames())
        .containsExactlyInAnyOrder("order_id", "kind", "status", "recovery_confirmed", "amount");
  }

  @Test
  void a_push_message_has_a_title_and_a_body_in_the_customers_language() {
    webhook.send(Samples.parcel(Samples.notice(Topic.NO_DRIVER_PUSH)));
    var data =
        JsonMapper.builder().build().readTree(receiver.requests.getFirst().body()).path("data");
    assertThat(data.path("channel").asString()).isEqualTo("push");
    assertThat(data.path("title").asString()).contains("Pengemudi tidak ditemukan", "ord_1");
    assertThat(data.path("body").asString()).contains("3-5 hari kerja");
  }

  @Test
  void a_secret_that_can_be_guessed_is_refused() {
    assertThatThrownBy(() -> new WebhookSignature("short"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
