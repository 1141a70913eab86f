package dev.tuntas.engine;

/// Text from outside, made safe to store: no database takes a NUL or half a character.
final class Text {

  private Text() {}

  static String clean(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0 || Character.isSurrogate(c)) return replaced(text);
    }
    return text;
  }

  private static String replaced(String text) {
    var out = new StringBuilder(text.length());
    text.codePoints()
        .map(
            c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) ? '?' : c)
        .forEach(out::appendCodePoint);
    return out.toString();
  }
}
