package dev.tuntas.adapters.notify;

import dev.tuntas.notify.Message.Alert;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/// Alerts in Slack's Block Kit. Everything is plain text, and what Slack would read as a link, a
/// mention or markup is escaped.
final class SlackMessage {

  private static final int HEADER_MAX = 140;
  private static final int FIELD_MAX = 500;
  private static final int TEXT_MAX = 2_500;
  private static final int LISTED_MAX = 20;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private SlackMessage() {}

  static byte[] of(List<Alert> alerts, String channel) {
    var first = alerts.getFirst();
    boolean alone = alerts.size() == 1;
    var title = alone ? first.title() : alerts.size() + " tickets need a person";
    return JSON.writeValueAsBytes(
        Map.of(
            "channel",
            channel,
            "text",
            escaped(alone ? title + ": " + first.orderId() : title, FIELD_MAX),
            "unfurl_links",
            false,
            "unfurl_media",
            false,
            "blocks",
            alone ? blocks(first) : blocks(title, alerts)));
  }

  private static List<Object> blocks(Alert alert) {
    var actions = new StringBuilder("Action Required:");
    for (int i = 0; i < alert.actions().size(); i++) {
      actions.append('\n').append(i + 1).append(". ").append(alert.actions().get(i));
    }
    return List.of(
        header(alert.title()),
        Map.of("type", "section", "fields", fields(alert)),
        section(actions.toString()),
        Map.of(
            "type",
            "context",
            "elements",
            List.of(
                plain("Priority: " + alert.priority(), FIELD_MAX),
                plain("SLA: " + alert.sla(), FIELD_MAX),
                plain("Ticket: " + alert.ticketId(), FIELD_MAX))));
  }

  private static List<Object> fields(Alert alert) {
    return AlertText.facts(alert).stream()
        .<Object>map(fact -> plain(fact.name() + ": " + fact.value(), FIELD_MAX))
        .toList();
  }

  private static List<Object> blocks(String title, List<Alert> alerts) {
    var lines = new ArrayList<String>();
    for (var alert : alerts.subList(0, Math.min(alerts.size(), LISTED_MAX))) {
      lines.add(cut(alert.title() + ": " + alert.orderId() + ", " + alert.amountText(), 120));
    }
    int more = alerts.size() - lines.size();
    if (more > 0) lines.add("and " + more + " more");
    return List.of(header(title), section(String.join("\n", lines)));
  }

  private static Object header(String text) {
    return Map.of("type", "header", "text", plain("🚨 " + text, HEADER_MAX));
  }

  private static Object section(String text) {
    return Map.of("type", "section", "text", plain(text, TEXT_MAX));
  }

  private static Map<String, Object> plain(String text, int max) {
    return Map.of("type", "plain_text", "emoji", false, "text", escaped(text, max));
  }

  static String escaped(String text, int max) {
    return cut(text, max).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static String cut(String text, int max) {
    return text.length() <= max ? text : text.substring(0, max - 1) + "…";
  }
}
