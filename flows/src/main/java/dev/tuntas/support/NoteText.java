package dev.tuntas.support;

import java.util.Optional;

/// What people may write: anything that is text, lines and tabs included, and not too much of it.
final class NoteText {

  static final int LENGTH_MAX = 4_000;

  private NoteText() {}

  /// Why this text cannot be kept, if so.
  static Optional<Refusal> flaw(String text) {
    if (text.isBlank()) {
      return Optional.of(Refusal.invalid("field_required", "A note needs a text."));
    }
    if (text.length() > LENGTH_MAX) {
      return Optional.of(
          new Refusal(
              Refusal.Kind.TOO_LONG,
              "too_long",
              "A note has at most "
                  + LENGTH_MAX
                  + " characters; this one has "
                  + text.length()
                  + "."));
    }
    if (!text.codePoints().allMatch(NoteText::isText)) {
      return Optional.of(
          Refusal.invalid("text_invalid", "A note may not hold control characters."));
    }
    return Optional.empty();
  }

  private static boolean isText(int c) {
    if (c == '\n' || c == '\r' || c == '\t') return true;
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.SURROGATE, Character.UNASSIGNED -> false;
      // Those that turn the direction of text can make it read as something else.
      case Character.FORMAT -> !(c >= 0x202A && c <= 0x202E || c >= 0x2066 && c <= 0x2069);
      default -> true;
    };
  }
}
