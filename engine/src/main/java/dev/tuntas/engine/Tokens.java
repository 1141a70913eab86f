package dev.tuntas.engine;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Named values as one line that a person can read: `name=value` pairs, blanks and controls
/// escaped.
final class Tokens {

  private final Map<String, String> values;
  private final StringBuilder text = new StringBuilder(64);

  Tokens() {
    this(Map.of());
  }

  private Tokens(Map<String, String> values) {
    this.values = values;
  }

  static Tokens parse(String line) {
    var values = new LinkedHashMap<String, String>();
    int at = 0;
    while (at < line.length()) {
      int end = line.indexOf(' ', at);
      if (end < 0) end = line.length();
      int equals = line.indexOf('=', at);
      if (equals < 0 || equals > end) {
        throw new IllegalArgumentException("not a line of name=value pairs: " + line);
      }
      values.put(line.substring(at, equals), unescape(line.substring(equals + 1, end)));
      at = end + 1;
    }
    return new Tokens(values);
  }

  Tokens add(String name, @Nullable Object value) {
    if (value == null) return this;
    if (!text.isEmpty()) text.append(' ');
    text.append(name).append('=');
    escape(value.toString(), text);
    return this;
  }

  String get(String name) {
    var value = values.get(name);
    if (value == null) throw new IllegalArgumentException("'" + name + "' is missing");
    return value;
  }

  @Nullable String find(String name) {
    return values.get(name);
  }

  @Override
  public String toString() {
    return text.toString();
  }

  private static void escape(String value, StringBuilder to) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c <= ' ' || c == '%' || c == '=' || c == ';' || c == 127 || Character.isSurrogate(c)) {
        to.append('%').append(HEX[c >> 12 & 15]).append(HEX[c >> 8 & 15]);
        to.append(HEX[c >> 4 & 15]).append(HEX[c & 15]);
      } else {
        to.append(c);
      }
    }
  }

  static String unescape(String value) {
    if (value.indexOf('%') < 0) return value;
    var out = new StringBuilder(value.length());
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '%') {
        if (i + 5 > value.length()) throw new IllegalArgumentException("cut off: " + value);
        out.append((char) Integer.parseInt(value, i + 1, i + 5, 16));
        i += 4;
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  private static final char[] HEX = "0123456789abcdef".toCharArray();
}
