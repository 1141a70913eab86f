package dev.tuntas.server.settings;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;

/// Reads the settings before anything else is made, and stops the start with one sentence if one of
/// them is wrong.
public final class SettingsReader
    implements ApplicationContextInitializer<ConfigurableApplicationContext> {

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    var settings = read(context.getEnvironment());
    context.getBeanFactory().registerSingleton("settings", settings);
  }

  static Settings read(ConfigurableEnvironment environment) {
    var unknown = new KnownKeys(Settings.class).firstUnknown(environment);
    if (unknown.isPresent()) throw new SettingsException(unknown.get());
    try {
      return Binder.get(environment).bindOrCreate("tuntas", Bindable.of(Settings.class));
    } catch (BindException e) {
      throw new SettingsException(sentence(e));
    }
  }

  private static String sentence(BindException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      boolean ours = cause instanceof IllegalArgumentException && isThrownHere(cause);
      if (ours) return named(String.valueOf(cause.getMessage()));
    }
    var type = failure.getTarget().getType().resolve();
    return failure.getName() + given(failure, type) + " is not " + wanted(type);
  }

  /// Our records name keys without the prefix, but variables as they are.
  private static String named(String message) {
    return message.startsWith("TUNTAS_") ? message : "tuntas." + message;
  }

  /// An address may hold a secret.
  private static String given(BindException failure, @Nullable Class<?> type) {
    var property = failure.getProperty();
    return property == null || type == URI.class ? "" : " is '" + property.getValue() + "', which";
  }

  private static boolean isThrownHere(Throwable cause) {
    var trace = cause.getStackTrace();
    return trace.length > 0
        && trace[0].getClassName().startsWith(SettingsReader.class.getPackageName());
  }

  private static String wanted(@Nullable Class<?> type) {
    if (type == null) return "usable";
    if (type == Duration.class) return "a duration such as 500ms, 30s, 5m or 24h";
    if (type == URI.class) return "a URL";
    if (type == boolean.class) return "true or false";
    if (type == int.class || type == long.class || type == Integer.class) return "a whole number";
    if (type.isEnum()) return "one of " + choices(type);
    return "usable";
  }

  private static String choices(Class<?> type) {
    var names = Arrays.stream(type.getEnumConstants()).map(Object::toString).toList();
    return String.join(", ", names).toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
