package dev.tuntas.bus;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The body of every message: a CloudEvent 1.0 in JSON, in structured mode.
///
/// @param id with the source, unique for ever
/// @param subject the order that it is about
/// @param sequence counts up with everything that is said about the subject, whatever the type; 0
///   where nothing is counted
/// @param data an object
public record CloudEvent(
    String id,
    String source,
    String type,
    String subject,
    Instant time,
    long sequence,
    JsonNode data) {

  /// The header that carries the trace.
  public static final String TRACE = "traceparent";

  private static final Set<String> REQUIRED = Set.of("specversion", "id", "source", "type");
  private static final Pattern EXTENSION = Pattern.compile("[a-z0-9]{1,20}");
  private static final Pattern SEQUENCE = Pattern.compile("[0-9]{1,18}");

  /// What is not known, or is there twice, is refused: a consumer that guesses does harm.
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .build();

  /// An event whose data is this value, as JSON.
  public static CloudEvent of(
      String id, String source, String type, String subject, Instant time, Object data) {
    return new CloudEvent(id, source, type, subject, time, 0, JSON.valueToTree(data));
  }

  /// The data of an event that is a text of JSON already.
  public static ObjectNode object(String text) {
    return (ObjectNode) JSON.readTree(text);
  }

  public String write() {
    var event = JSON.createObjectNode();
    event.put("specversion", "1.0");
    event.put("id", id);
    event.put("source", source);
    event.put("type", type);
    event.put("subject", subject);
    event.put("time", time.toString());
    event.put("datacontenttype", "application/json");
    if (sequence > 0) {
      event.put("sequence", Long.toString(sequence));
      event.put("sequencetype", "Integer");
    }
    event.set("data", data);
    return JSON.writeValueAsString(event);
  }

  /// The message that carries it.
  public Message message(boolean isCommand, @Nullable String trace) {
    var headers = trace == null ? Map.<String, String>of() : Map.of(TRACE, trace);
    return new Message(id, type, subject, write(), headers, isCommand);
  }

  /// The event in a message; a message that holds none, or one of another kind, is refused.
  public static CloudEvent read(Message message) throws Refused {
    JsonNode event;
    try {
      event = JSON.readTree(message.body());
    } catch (JacksonException e) {
      throw new Refused("The body is not JSON: " + e.getOriginalMessage());
    }
    if (!event.isObject()) throw new Refused("The body is no JSON object.");
    for (var name : REQUIRED) text(event, name);
    if (!text(event, "specversion").equals("1.0")) throw new Refused("It is no CloudEvent 1.0.");
    for (var property : event.properties()) checkExtension(property);
    var type = text(event, "type");
    if (!type.equals(message.kind())) {
      throw new Refused("Its type is " + type + ", but it came as " + message.kind() + ".");
    }
    var data = event.path("data");
    if (!data.isObject()) throw new Refused("Its data is no JSON object.");
    return new CloudEvent(
        text(event, "id"),
        text(event, "source"),
        type,
        text(event, "subject"),
        time(text(event, "time")),
        sequence(event.path("sequence")),
        data);
  }

  private static void checkExtension(Map.Entry<String, JsonNode> property) throws Refused {
    var name = property.getKey();
    boolean isFine =
        name.equals("data")
            || (EXTENSION.matcher(name).matches() && property.getValue().isValueNode());
    if (!isFine) throw new Refused("A CloudEvent has no attribute '" + name + "'.");
  }

  private static String text(JsonNode event, String name) throws Refused {
    var value = event.path(name);
    if (!value.isString() || value.asString().isEmpty()) {
      throw new Refused("Its attribute " + name + " is missing or no text.");
    }
    return value.asString();
  }

  private static Instant time(String text) throws Refused {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException _) {
      throw new Refused("Its time is none.");
    }
  }

  private static long sequence(JsonNode value) throws Refused {
    if (value.isMissingNode()) return 0;
    if (!value.isString() || !SEQUENCE.matcher(value.asString()).matches()) {
      throw new Refused("Its sequence is no number in a text.");
    }
    return Long.parseLong(value.asString());
  }

  /// Its data as a record, which refuses what it cannot be by throwing when it is made.
  public <T> T data(Class<T> as) throws Refused {
    try {
      return JSON.treeToValue(data, as);
    } catch (JacksonException e) {
      throw new Refused("Its data does not fit: " + e.getOriginalMessage());
    }
  }
}
