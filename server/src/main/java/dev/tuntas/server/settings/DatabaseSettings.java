package dev.tuntas.server.settings;

import dev.tuntas.store.PostgresSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// PostgreSQL for any number of processes; without a URL, SQLite in the data folder.
public record DatabaseSettings(
    @Nullable String url,
    @Nullable String user,
    @Nullable String password,
    @DefaultValue("16") int connectionsMax) {

  public DatabaseSettings {
    if (url != null && !url.startsWith("jdbc:postgresql:")) {
      throw new IllegalArgumentException("database.url must begin with jdbc:postgresql:");
    }
    Limits.notOfASample("database.url", url);
    Limits.notOfASample("database.password", password);
    Limits.between("database.connections-max", connectionsMax, 4, 1000);
  }

  /// How to reach it, with timeouts that let a stalled database be noticed within seconds.
  public PostgresSettings postgres() {
    return postgres(connectionsMax);
  }

  /// The same for a service, which needs fewer connections than the orders.
  public PostgresSettings postgresOfService() {
    return postgres(Math.max(4, connectionsMax / 2));
  }

  private PostgresSettings postgres(int connections) {
    if (url == null) throw new IllegalStateException("no database.url");
    return new PostgresSettings(
        url,
        user,
        password,
        connections,
        Duration.ofSeconds(3),
        Duration.ofSeconds(10),
        Duration.ofSeconds(3));
  }

  /// Without the password.
  @Override
  public String toString() {
    return "DatabaseSettings[connectionsMax=" + connectionsMax + "]";
  }
}
