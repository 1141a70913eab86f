package dev.tuntas.bus;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.UUID;
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

  /// So much is left of a body that is set aside, and so much of anything else.
  private static final int RAW_MAX = 64 * 1024;

  private static final int NAME_MAX = 200;
  private static final int REASON_MAX = 500;
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
    var trace = headers.get(CloudEvent.TRACE);
    return new DeadMessage(
        queue,
        stored(id),
        stored(kind),
        stored(key),
        stored(body),
        trace == null ? null : stored(trace),
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
      return Instant.ofEpochMilli(Instant.parse(text).toEpochMilli());
    } catch (DateTimeParseException | ArithmeticException _) {
      return Instant.now();
    }
  }

  /// What is left of one that cannot be kept as it is, for people to look at. It cannot be sent
  /// again: its kind is none.
  DeadMessage setAside(Throwable why) {
    var all = String.join("\n", id, kind, key, body).getBytes(StandardCharsets.UTF_8);
    return new DeadMessage(
        queue,
        "set-aside/" + UUID.nameUUIDFromBytes(all),
        "(set aside) " + cut(kind, NAME_MAX),
        cut(key, NAME_MAX),
        cut(body, RAW_MAX),
        null,
        isCommand,
        cut(
            "It could not be kept as it was (" + cut(why.toString(), REASON_MAX) + "): " + reason,
            2 * REASON_MAX),
        attempts,
        Instant.now());
  }

  /// Half a character at the end becomes a question mark.
  private static String cut(String text, int max) {
    var cut = text.length() <= max ? text : text.substring(0, max);
    var whole = new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    return stored(whole);
  }

  /// The message as it was sent. Refuses what is none.
  public Message message() {
    Map<String, String> headers = trace == null ? Map.of() : Map.of(CloudEvent.TRACE, trace);
    return new Message(id, kind, key, body, headers, isCommand);
  }
}
