package dev.tuntas.server.orders;

import dev.tuntas.server.areas.Language;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;

/// The words of the customer's page in one language. A word that is missing is a bug, and is found
/// when the page is tested: both languages have the same keys.
public final class PageWords {

  private static final PageWords ENGLISH = new PageWords("en");
  private static final PageWords INDONESIAN = new PageWords("id");

  private final Properties words = new Properties();
  private final DateTimeFormatter time;

  private PageWords(String language) {
    var file = new ClassPathResource("pages/order_" + language + ".properties");
    try (var in = new InputStreamReader(file.getInputStream(), StandardCharsets.UTF_8)) {
      words.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    time =
        DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm:ss 'UTC'", Locale.of(language))
            .withZone(ZoneOffset.UTC);
  }

  /// What an `Accept-Language` header prefers; who says nothing reads English.
  static PageWords preferred(@Nullable String header) {
    if (header == null) return ENGLISH;
    return switch (Language.preferred(header)) {
      case ENGLISH -> ENGLISH;
      case INDONESIAN -> INDONESIAN;
    };
  }

  /// To be called by the template too.
  public String say(String key, Object... with) {
    var text = find(key).orElseThrow(() -> new IllegalArgumentException("no words for " + key));
    for (int i = 0; i < with.length; i++) text = text.replace("{" + i + "}", with[i].toString());
    return text;
  }

  Optional<String> find(String key) {
    return Optional.ofNullable(words.getProperty(key));
  }

  String time(Instant at) {
    return time.format(at);
  }
}
