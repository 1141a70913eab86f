package dev.tuntas.adapters.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.notify.Channel.Receipt;
import dev.tuntas.notify.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SlackChannelTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static JsonNode sent(Message... messages) throws Exception {
    try (var receiver = Receiver.open()) {
      var slack =
          new SlackChannel(
              receiver.url(), SlackChannel.DEFAULT_CHANNEL, OutgoingPost.to(OutgoingUrls.of(true)));
      assertThat(slack.send(Samples.parcel(messages))).isEqualTo(new Receipt.Sent());
      return JSON.readTree(receiver.requests.getFirst().body());
    }
  }

  /// All text objects and strings that Slack shows.
  private static List<JsonNode> texts(JsonNode node) {
    var found = new ArrayList<JsonNode>();
    if (node.has("type") && node.path("text").isString()) found.add(node);
    for (var child : node) found.addAll(texts(child));
    return found;
  }

  private static String shown(JsonNode message) {
    var all = new StringBuilder();
    for (var text : texts(message)) all.append(text.path("text").asString()).append('\n');
    return all.toString();
  }

  @Test
  void a_manual_refund_looks_as_the_document_says() throws Exception {
    var message = sent(Samples.alert());
    assertThat(message.path("channel").asString()).isEqualTo("#supporting-reservation-alerts");
    assertThat(shown(message).lines())
        .contains(
            "🚨 Manual Refund Required",
            "Order ID: ord_1",
            "Status: CANCELLED_BY_SYSTEM_AFTER_PAYMENT",
            "Reason: Job ID retrieval timeout after 30 minutes",
            "Payment Status: PAID",
            "Payment Amount: Rp 150,000",
            "Action Required:",
            "1. Verify order details in admin panel",
            "2. Process full refund via refund module",
            "3. Contact customer if needed",
            "4. Mark as resolved in support system",
            "Priority: High",
            "SLA: Within 24 hours");
  }

  @Test
  void nothing_from_outside_is_anything_but_text() throws Exception {
    var message = sent(Samples.hostile());
    assertThat(message.path("text").asString()).doesNotContain("<", ">");
    assertThat(texts(message))
        .isNotEmpty()
        .allSatisfy(
            text -> {
              assertThat(text.path("type").asString()).isEqualTo("plain_text");
              assertThat(text.path("emoji").asBoolean()).isFalse();
              assertThat(text.path("text").asString()).doesNotContain("<", ">");
            });
    assertThat(shown(message)).contains("&lt;!channel&gt;", "&amp;lt;");
  }

  @Test
  void texts_of_any_length_fit_what_slack_takes() throws Exception {
    var message = sent(Samples.alert("o".repeat(9_000), "&".repeat(9_000)));
    for (var block : message.path("blocks")) {
      for (var text : texts(block)) {
        int max = block.path("type").asString().equals("section") ? 3_000 : 2_000;
        if (block.has("fields")) max = 2_600; // 2,000 characters before they are escaped
        assertThat(text.path("text").asString()).hasSizeLessThanOrEqualTo(max);
      }
    }
  }

  @Test
  void a_flood_is_one_message_that_names_the_first_and_counts_the_rest() throws Exception {
    var many =
        IntStream.range(0, 30)
            .mapToObj(i -> Samples.alert("ord_" + i, "x"))
            .toArray(Message[]::new);
    var shown = shown(sent(many));
    assertThat(shown).contains("30 tickets need a person", "ord_0", "ord_19", "and 10 more");
    assertThat(shown).doesNotContain("ord_20");
  }
}
