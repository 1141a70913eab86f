package dev.tuntas.store;

import java.util.Collection;

/// A list of numbers or strings as a JSON array, the form in which SQLite takes lists.
final class JsonArray {

  private JsonArray() {}

  static String of(Collection<?> values) {
    var out = new StringBuilder(values.size() * 16 + 2).append('[');
    for (var value : values) {
      if (out.length() > 1) out.append(',');
      if (value instanceof String text) quote(text, 0, text.length(), out);
      else out.append(value);
    }
    return out.append(']').toString();
  }

  /// Appends a part of a text as a JSON string.
  static void quote(String text, int from, int to, StringBuilder out) {
    out.append('"');
    int done = from;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c != '"' && c != '\\' && c >= 0x20) continue;
      out.append(text, done, i).append('\\');
      if (c >= 0x20) out.append(c);
      else out.append("u00").append(c < 0x10 ? '0' : '1').append(hexDigit(c & 15));
      done = i + 1;
    }
    out.append(text, done, to).append('"');
  }

  private static char hexDigit(int digit) {
    return Character.forDigit(digit, 16);
  }
}
