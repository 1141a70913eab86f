package dev.tuntas.server.settings;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The checks that settings share. Each says which key is wrong and what would be right.
final class Limits {

  private static final Duration LONGEST = Duration.ofDays(365);
  private static final int SECRET_LEAST = 16;
  private static final String DRAW_ONE = "draw one of your own, as with: openssl rand -hex 24";

  /// What files like `deploy/tuntas.env.example` have where a secret belongs.
  private static final Pattern SAMPLE =
      Pattern.compile(
          "(?<![a-z])(replace|change)[-_. ]?(me|this|it)(?![a-z])", Pattern.CASE_INSENSITIVE);

  private Limits() {}

  static void between(String key, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          key + " is " + value + ", but must be between " + least + " and " + most);
    }
  }

  static void positive(String key, Duration value) {
    if (!value.isPositive() || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          key + " is " + value + ", but must be more than 0 and at most a year");
    }
  }

  /// Nothing, if it is empty.
  static @Nullable String given(@Nullable String value) {
    return value == null || value.isEmpty() ? null : value;
  }

  /// A secret that guards us: not one of a sample, and too long to be guessed.
  static void secret(String key, @Nullable String value) {
    secret(key, value, SECRET_LEAST);
  }

  static void secret(String key, @Nullable String value, int least) {
    notOfASample(key, value);
    if (value != null && value.length() < least) {
      throw new IllegalArgumentException(
          key + " has less than " + least + " characters and can be guessed; " + DRAW_ONE);
    }
  }

  /// Whoever has read the sample files, or anybody's, knows it.
  static void notOfASample(String key, @Nullable String value) {
    if (value != null && SAMPLE.matcher(value).find()) {
      throw new IllegalArgumentException(
          key + " still has the value of a sample, which everybody knows; " + DRAW_ONE);
    }
  }

  /// What can be in a header as it is.
  static void visible(String key, String value) {
    if (!value.matches("[!-~]+")) {
      throw new IllegalArgumentException(key + " may have visible ASCII characters only");
    }
  }

  static void web(String key, URI url) {
    url(key, url, List.of("http", "https"));
  }

  static void url(String key, URI url, List<String> schemes) {
    var scheme = url.getScheme();
    if (scheme == null || !schemes.contains(scheme) || url.getHost() == null) {
      throw new IllegalArgumentException(
          key + " is not a URL with a host that begins with " + String.join(" or ", schemes));
    }
    notOfASample(key, url.getRawUserInfo());
  }
}
