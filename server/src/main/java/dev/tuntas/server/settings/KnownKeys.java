package dev.tuntas.server.settings;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;

/// The names of all settings. A misspelt name is refused rather than ignored.
final class KnownKeys {

  /// Variables that are read by the launcher, or that stand for a setting of another name.
  private static final Set<String> VARIABLES =
      Set.of(
          "TUNTAS_JAVA_HOME",
          "TUNTAS_JAVA_OPTS",
          "TUNTAS_CLIENT_KEY",
          "TUNTAS_ADMIN_KEY",
          "TUNTAS_SERVICE_KEY",
          "TUNTAS_BBD_SECRET");

  private final List<String> names = new ArrayList<>();
  private final Set<String> plain;

  KnownKeys(Class<? extends Record> settings) {
    collect("tuntas", settings);
    plain = names.stream().map(KnownKeys::plain).collect(Collectors.toSet());
  }

  List<String> names() {
    return names;
  }

  /// A sentence about the first key that is not known, wherever it was set.
  Optional<String> firstUnknown(ConfigurableEnvironment environment) {
    return environment.getPropertySources().stream()
        .filter(EnumerablePropertySource.class::isInstance)
        .flatMap(
            source -> List.of(((EnumerablePropertySource<?>) source).getPropertyNames()).stream())
        .filter(this::isOursAndUnknown)
        .sorted()
        .map(this::sentence)
        .findFirst();
  }

  private boolean isOursAndUnknown(String key) {
    var lower = key.toLowerCase(Locale.ROOT);
    boolean ours = lower.startsWith("tuntas.") || key.startsWith("TUNTAS_");
    return ours && !VARIABLES.contains(key) && !plain.contains(plain(withoutIndex(key)));
  }

  private String sentence(String key) {
    var nearest =
        names.stream()
            .filter(name -> distance(plain(name), plain(key)) <= 2)
            .min((a, b) -> distance(plain(a), plain(key)) - distance(plain(b), plain(key)));
    return "there is no setting " + key + nearest.map(it -> "; is " + it + " meant?").orElse("");
  }

  private void collect(String prefix, Class<?> type) {
    for (RecordComponent part : type.getRecordComponents()) {
      var name = prefix + "." + dashed(part.getName());
      if (part.getType().isRecord()) {
        collect(name, part.getType());
      } else {
        names.add(name);
      }
    }
  }

  private static String dashed(String camel) {
    return camel.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  /// As it is compared: an environment variable has neither dots nor dashes.
  private static String plain(String name) {
    return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
  }

  private static String withoutIndex(String key) {
    return key.replaceAll("(\\[\\d+]|_\\d+)$", "");
  }

  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) row[j] = j;
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int change = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[other.length()];
  }
}
