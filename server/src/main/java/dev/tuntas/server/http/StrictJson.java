package dev.tuntas.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// JSON as RFC 8259 has it and nothing more: UTF-8 without a mark, one value, no member twice, not
/// deeper than 32. Numbers keep every digit.
final class StrictJson {

  static final int DEPTH_MAX = 32;
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX + 1).build())
                  .build())
          .build();

  private final JsonParser parser;
  private int depth;

  private StrictJson(JsonParser parser) {
    this.parser = parser;
  }

  static ObjectNode object(byte[] bytes) {
    var text = text(bytes);
    if (text.isBlank()) {
      throw Problem.of(400, "body_missing", "The request needs a body.").asException();
    }
    try (var parser = JSON.createParser(text)) {
      var value = new StrictJson(parser).whole();
      if (value instanceof ObjectNode object) return object;
    } catch (JacksonException e) {
      throw malformed("The body is not valid JSON" + where(e) + ".");
    }
    throw Problem.of(400, "json_not_object", "The body must be a JSON object.").asException();
  }

  private static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException _) {
      throw malformed("The body is not encoded in UTF-8.");
    }
  }

  private static String where(JacksonException e) {
    var place = e.getLocation();
    if (place == null || place.getLineNr() < 1) return "";
    return " (line " + place.getLineNr() + ", column " + place.getColumnNr() + ")";
  }

  private JsonNode whole() {
    var value = value(parser.nextToken());
    if (parser.nextToken() != null) throw malformed("The body has more than one JSON value.");
    return value;
  }

  private JsonNode value(JsonToken token) {
    return switch (token) {
      case START_OBJECT -> members();
      case START_ARRAY -> elements();
      case VALUE_STRING -> NODES.stringNode(parser.getString());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number();
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      case VALUE_NULL -> NODES.nullNode();
      default -> throw malformed("The body is not valid JSON.");
    };
  }

  private JsonNode number() {
    try {
      return NODES.numberNode(parser.getDecimalValue());
    } catch (NumberFormatException _) {
      throw malformed("A number has an exponent beyond all measure.");
    }
  }

  private ObjectNode members() {
    enter();
    var object = NODES.objectNode();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      var name = parser.currentName();
      if (object.has(name)) {
        throw Problem.of(400, "json_duplicate_member", "A member of an object appears twice.")
            .asException();
      }
      object.set(name, value(parser.nextToken()));
    }
    depth--;
    return object;
  }

  private JsonNode elements() {
    enter();
    var array = NODES.arrayNode();
    for (var token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
      array.add(value(token));
    }
    depth--;
    return array;
  }

  private void enter() {
    if (++depth > DEPTH_MAX) {
      throw Problem.of(400, "json_too_deep", "The body is nested deeper than 32 levels.")
          .asException();
    }
  }

  private static ProblemException malformed(String detail) {
    return Problem.of(400, "json_malformed", detail).asException();
  }
}
