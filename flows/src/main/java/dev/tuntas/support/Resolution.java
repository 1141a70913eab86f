package dev.tuntas.support;

import java.util.Locale;
import java.util.Optional;

/// How a ticket ended.
public enum Resolution {
  HAPPENED,
  DID_NOT_HAPPEN,
  REFUNDED,
  NO_ACTION,
  /// By itself: what it was about is no longer so.
  SETTLED;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The one that a person may choose by this word.
  public static Optional<Resolution> chosen(String word) {
    for (var one : values()) {
      if (one != SETTLED && one.word().equals(word)) return Optional.of(one);
    }
    return Optional.empty();
  }

  static Resolution of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
