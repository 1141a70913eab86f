package dev.tuntas.server.pages;

import dev.tuntas.server.settings.Settings;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/// Where people reach the server: what was configured, or where it listens.
@Component
public final class PublicAddress {

  private final Settings settings;
  private final Environment environment;

  PublicAddress(Settings settings, Environment environment) {
    this.settings = settings;
    this.environment = environment;
  }

  /// Without a slash at the end, such as `http://127.0.0.1:8080`.
  public String base() {
    var configured = settings.publicUrl();
    if (configured != null) return configured.toString().replaceFirst("/$", "");
    var port = environment.getProperty("local.server.port", Integer.toString(settings.port()));
    return "http://" + host() + ":" + port;
  }

  private String host() {
    return switch (settings.address()) {
      case "0.0.0.0", "::" -> "127.0.0.1"; // everywhere is also here
      case String address when address.contains(":") -> "[" + address + "]";
      case String address -> address;
    };
  }
}
