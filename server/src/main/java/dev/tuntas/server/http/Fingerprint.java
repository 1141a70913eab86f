package dev.tuntas.server.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// A hash of what JSON means, not of how it was written: members in any order, any white space, and
/// 10 or 10.0 give the same.
public final class Fingerprint {

  private Fingerprint() {}

  public static String of(JsonNode json) {
    var text = new StringBuilder();
    write(json, text);
    return sha256(text.toString());
  }

  /// In hexadecimal.
  public static String sha256(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static void write(JsonNode json, StringBuilder text) {
    if (json.isObject()) {
      var sorted = new TreeMap<String, JsonNode>();
      json.properties().forEach(member -> sorted.put(member.getKey(), member.getValue()));
      text.append('{');
      sorted.forEach(
          (name, value) -> {
            string(name, text);
            write(value, text);
          });
      text.append('}');
    } else if (json.isArray()) {
      text.append('[');
      json.forEach(element -> write(element, text));
      text.append(']');
    } else if (json.isNumber()) {
      var number = json.decimalValue().stripTrailingZeros();
      text.append('#').append(number.signum() == 0 ? "0" : number.toString());
    } else if (json.isString()) {
      string(json.stringValue(), text);
    } else {
      text.append('!').append(json); // true, false, null
    }
  }

  /// With its length, so that no two sequences of strings look alike.
  private static void string(String value, StringBuilder text) {
    text.append('"').append(value.length()).append(':').append(value);
  }
}
