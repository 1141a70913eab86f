package dev.tuntas.bus;

import java.util.Map;
import java.util.regex.Pattern;

/// Something that goes over the bus: a CloudEvent as text, with what a broker needs to know of it.
///
/// @param id the same for every delivery
/// @param kind what happened or is wanted: the topic, or the routing key
/// @param key messages of one kind and key arrive in the order in which they were sent
/// @param isCommand whether somebody must be there to hear it; an event may go unheard
public record Message(
    String id,
    String kind,
    String key,
    String body,
    Map<String, String> headers,
    boolean isCommand) {

  /// Below what brokers take by default.
  public static final int BODY_MAX = 256 * 1024;

  private static final Pattern KIND = Pattern.compile("[A-Za-z0-9._-]{1,200}");
  private static final Pattern NAME = Pattern.compile("[\\x21-\\x7e]{1,255}");

  public Message {
    if (!KIND.matcher(kind).matches()) {
      throw new IllegalArgumentException("a kind has 1 to 200 letters, digits, and . _ or -");
    }
    if (!NAME.matcher(id).matches()) {
      throw new IllegalArgumentException("an id has 1 to 255 visible ASCII characters");
    }
    if (key.length() > 400 || body.length() > BODY_MAX) {
      throw new IllegalArgumentException("a message of " + body.length() + " characters");
    }
    headers = Map.copyOf(headers);
  }

  public static Message event(String id, String kind, String key, String body) {
    return new Message(id, kind, key, body, Map.of(), false);
  }

  public static Message command(String id, String kind, String key, String body) {
    return new Message(id, kind, key, body, Map.of(), true);
  }
}
