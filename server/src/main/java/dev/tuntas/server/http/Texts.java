package dev.tuntas.server.http;

import java.util.Optional;
import java.util.regex.Pattern;

/// Which texts are taken from outside.
final class Texts {

  private static final int MARKS_MAX = 8;
  private static final Pattern EMAIL =
      Pattern.compile(
          "[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\\.[A-Za-z0-9-]{1,63}){1,8}");
  private static final Pattern PHONE = Pattern.compile("\\+?[0-9][0-9 ()-]{4,28}[0-9]");

  private Texts() {}

  /// Why a text is refused, as a sentence; nothing if it is fine. Line breaks and tabs are fine.
  static Optional<String> flaw(String text) {
    int marks = 0;
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      i += Character.charCount(point);
      if (point >= 0xD800 && point <= 0xDFFF) return flawed("half a character (a lone surrogate)");
      if (isControl(point)) return flawed("a control character");
      if (changesDirection(point)) return flawed("a character that changes the direction of text");
      marks = isMark(point) ? marks + 1 : 0;
      if (marks > MARKS_MAX) return flawed("too many combining marks in a row");
    }
    return Optional.empty();
  }

  private static Optional<String> flawed(String what) {
    return Optional.of("The text holds " + what + ".");
  }

  private static boolean isControl(int point) {
    return Character.isISOControl(point) && point != '\n' && point != '\t' && point != '\r';
  }

  private static boolean changesDirection(int point) {
    return (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
  }

  private static boolean isMark(int point) {
    int type = Character.getType(point);
    return type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK;
  }

  static boolean isEmail(String text) {
    return text.length() <= 254 && EMAIL.matcher(text).matches() && !text.contains("..");
  }

  static boolean isPhone(String text) {
    return PHONE.matcher(text).matches();
  }
}
