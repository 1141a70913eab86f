package dev.tuntas.saga;

/// Just enough JSON for the engine's own notices: a quoted string. Half a character is escaped,
/// because no database takes it.
final class Json {

  private Json() {}

  static String quote(String text) {
    var out = new StringBuilder(text.length() + 8).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else if (c < 0x20 || Character.isSurrogate(c)) out.append(String.format("\\u%04x", (int) c));
      else out.append(c);
    }
    return out.append('"').toString();
  }
}
