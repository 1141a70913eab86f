package dev.tuntas.store;

import static java.util.stream.Collectors.joining;

import dev.tuntas.engine.DataCodec;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.json.JsonMapper;

/// A saga's data as JSON: snake_case names, times and durations in ISO-8601. What it does not know
/// it ignores, so that the data of a newer program can be read, but logs it once: a field that was
/// renamed would be lost without a word.
public final class JacksonDataCodec implements DataCodec {

  private static final Logger log = LoggerFactory.getLogger(JacksonDataCodec.class);

  private static final String HINT =
      ". Use a record, or a class with a constructor for all of its values, whose fields are"
          + " classes and not interfaces; or tell Jackson how, by annotations";

  private final Set<String> leftOut = ConcurrentHashMap.newKeySet();

  private final JsonMapper mapper =
      JsonMapper.builder()
          .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
          .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
          .addHandler(new LeavesOut())
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  @Override
  public <D> String encode(D data, Class<D> type) {
    try {
      return mapper.writerFor(type).writeValueAsString(data);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "a " + type.getName() + " cannot be written as JSON" + where(e) + HINT, e);
    }
  }

  /// At which field, and why.
  private static String where(JacksonException e) {
    var fields =
        e.getPath().stream()
            .map(it -> it.getPropertyName() == null ? "[]" : it.getPropertyName())
            .collect(joining("."));
    return (fields.isEmpty() ? "" : ", at " + fields) + ": " + e.getOriginalMessage();
  }

  @Override
  public <D> void check(D data, Class<D> type, String text) {
    D back;
    try {
      back = mapper.readerFor(type).readValue(text);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "a " + type.getName() + " cannot be read back from its JSON" + where(e) + HINT, e);
    }
    if (data.equals(back)) return;
    var again = encode(back, type);
    if (again.equals(text) || hasSameCharacters(again, text)) return;
    var field = difference(mapper.readTree(text), mapper.readTree(again), "");
    throw new IllegalArgumentException(
        "a " + type.getName() + " comes back from its JSON without the value of " + field + HINT);
  }

  /// A set may come back in another order.
  private static boolean hasSameCharacters(String a, String b) {
    return a.length() == b.length()
        && Arrays.equals(a.chars().sorted().toArray(), b.chars().sorted().toArray());
  }

  private static String difference(JsonNode wanted, JsonNode found, String path) {
    for (var field : wanted.properties()) {
      var there = found.path(field.getKey());
      if (there.equals(field.getValue())) continue;
      var name = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
      return there.isObject() ? difference(field.getValue(), there, name) : name;
    }
    return path.isEmpty() ? "something" : path;
  }

  @Override
  public <D> D decode(String text, Class<D> type) {
    try {
      return mapper.readerFor(type).readValue(text);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "the stored text is not a " + type.getName() + where(e), e);
    }
  }

  private final class LeavesOut extends DeserializationProblemHandler {

    @Override
    public boolean handleUnknownProperty(
        DeserializationContext context,
        JsonParser parser,
        ValueDeserializer<?> deserializer,
        Object target,
        String name) {
      var type = target instanceof Class<?> it ? it : target.getClass();
      if (leftOut.add(type.getName() + " " + name)) {
        log.warn(
            "Stored data has a field {} that {} does not have, and it is left out. If it was"
                + " renamed, @JsonAlias(\"{}\") reads it.",
            name,
            type.getName(),
            name);
      }
      parser.skipChildren();
      return true;
    }
  }
}
