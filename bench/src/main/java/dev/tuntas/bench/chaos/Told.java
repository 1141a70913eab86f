package dev.tuntas.bench.chaos;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// One answer that a customer got.
///
/// @param json empty if it was not JSON
public record Told(
    Instant at, Asked asked, int status, boolean replayed, String body, JsonNode json) {

  /// What was asked for.
  public enum Asked {
    PLACE,
    LOOK,
    CANCEL
  }

  private static final Set<String> WENT_THROUGH = Set.of("CONFIRMED", "COMPLETED");
  private static final Set<String> CAME_TO_NOTHING =
      Set.of(
          "FAILED",
          "CANCELLED_BY_USER",
          "CANCELLED_BY_DRIVER",
          "CANCELLED_BY_SYSTEM",
          "CANCELLED_BY_SYSTEM_AFTER_PAYMENT");

  private static final String AREA_FULL = "DISPATCHER_AREA_THRESHOLD_REACHED";

  private static final JsonMapper JSON = JsonMapper.shared();

  public static Told of(Instant at, Asked asked, int status, boolean replayed, String body) {
    return new Told(at, asked, status, replayed, body, read(body));
  }

  private static JsonNode read(String body) {
    try {
      return JSON.readTree(body);
    } catch (JacksonException _) {
      return JSON.missingNode();
    }
  }

  public Optional<String> orderId() {
    return text("order_id");
  }

  /// Whether nothing was decided, and the same may be asked for again soon. That an area is full
  /// was decided, and lasts for a minute or more.
  boolean asksToComeAgain() {
    return status == 429 || status == 503 && !word().equals(AREA_FULL);
  }

  /// The order's status, or the code of what went wrong.
  public String word() {
    return text("status").filter(_ -> status < 300).or(() -> text("code")).orElse("");
  }

  private Optional<String> text(String name) {
    @Nullable JsonNode node = json.get(name);
    return node == null || !node.isString() ? Optional.empty() : Optional.of(node.stringValue());
  }

  private boolean flag(String name) {
    @Nullable JsonNode node = json.get(name);
    return node != null && node.asBoolean(false);
  }

  boolean needsAttention() {
    return flag("needs_attention");
  }

  boolean hasTicket() {
    return text("ticket").isPresent();
  }

  /// Whether the order has come to an end, or to a person's desk.
  public boolean isSettled() {
    if (needsAttention()) return hasTicket();
    return hasEnded();
  }

  /// Whether the order will stay as it is here.
  public boolean hasEnded() {
    return wentThrough() || cameToNothing();
  }

  /// Whether the customer got what was ordered.
  public boolean wentThrough() {
    return !needsAttention() && WENT_THROUGH.contains(word());
  }

  boolean cameToNothing() {
    return !needsAttention() && CAME_TO_NOTHING.contains(word());
  }

  public boolean isRide() {
    return text("kind").filter("ride"::equals).isPresent();
  }
}
