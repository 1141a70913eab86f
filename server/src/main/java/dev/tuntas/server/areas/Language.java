package dev.tuntas.server.areas;

import java.util.List;
import java.util.Locale;
import java.util.Locale.LanguageRange;
import org.jspecify.annotations.Nullable;

/// What a customer reads: Indonesian, unless English is preferred.
public enum Language {
  INDONESIAN,
  ENGLISH;

  private static final int LENGTH_MAX = 500;
  private static final List<String> KNOWN = List.of("id", "en");

  /// The language that an `Accept-Language` header prefers. One that makes no sense is ignored.
  public static Language preferred(@Nullable String header) {
    if (header == null || header.length() > LENGTH_MAX) return INDONESIAN;
    try {
      var best = Locale.lookupTag(LanguageRange.parse(header), KNOWN);
      return "en".equals(best) ? ENGLISH : INDONESIAN;
    } catch (IllegalArgumentException _) {
      return INDONESIAN;
    }
  }

  String either(String indonesian, String english) {
    return switch (this) {
      case INDONESIAN -> indonesian;
      case ENGLISH -> english;
    };
  }
}
