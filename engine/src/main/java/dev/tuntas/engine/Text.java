package dev.tuntas.engine;

/// Text from outside, made safe to store: no database takes a NUL or half a character, and nobody
/// reads more than a page.
final class Text {

  private static final int LENGTH_MAX = 2_000;

  private Text() {}

  /// At most so many characters of it.
  static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most) + "...";
  }

  static String clean(String whole) {
    var text = cut(whole, LENGTH_MAX);
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
