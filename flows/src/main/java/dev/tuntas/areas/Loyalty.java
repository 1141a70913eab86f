package dev.tuntas.areas;

import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// How loyal a customer is, from the lowest to the highest level.
public enum Loyalty {
  EXPLORER,
  TRAVELER,
  VOYAGER,
  ELITE;

  /// A level that is missing or unknown is the lowest.
  public static Loyalty of(@Nullable String name) {
    return Stream.of(values())
        .filter(level -> level.name().equals(name))
        .findFirst()
        .orElse(EXPLORER);
  }

  /// For people: Voyager.
  public String title() {
    return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
  }
}
