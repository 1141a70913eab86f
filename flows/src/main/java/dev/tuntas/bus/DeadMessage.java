package dev.tuntas.bus;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A message that the handler of a queue gave up on. It need not be one of ours: anything can come
/// over a broker, so that nothing is required of what it says.
///
/// @param queue whose handler gave it up
/// @param kind what it was sent as
public record DeadMessage(
    String queue,
    String id,
    String kind,
    String key,
    String body,
    @Nullable String trace,
    boolean isCommand,
    String reason,
    int attempts,
    Instant at) {

  private static final String BY_THE_BROKER = "The broker itself gave it up.";

  /// @param headers those of [DeadLetter] say why; without them it was the broker
  public static DeadMessage of(
      String queue,
      String id,
      String kind,
      String key,
      String body,
      Map<String, String> headers,
      boolean isCommand) {
    return new DeadMessage(
        queue,
        stored(id),
        stored(kind),
        stored(key),
        stored(body),
        headers.get(CloudEvent.TRACE),
        isCommand,
        stored(headers.getOrDefault(DeadLetter.REASON, BY_THE_BROKER)),
        number(headers.getOrDefault(DeadLetter.ATTEMPTS, "")),
        time(headers.getOrDefault(DeadLetter.AT, "")));
  }

  /// No database keeps this character in a text.
  private static String stored(String text) {
    return text.replace('\0', '\ufffd');
  }

  private static int number(String text) {
    return text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException _) {
      return Instant.now();
    }
  }

  /// The message as it was sent. Refuses what is none.
  public Message message() {
    Map<String, String> headers = trace == null ? Map.of() : Map.of(CloudEvent.TRACE, trace);
    return new Message(id, kind, key, body, headers, isCommand);
  }
}
