package dev.tuntas.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tuntas.bench.PostgresServer.Schema;
import java.time.Duration;

/// Connection pools for libraries that want one.
final class Pools {

  private Pools() {}

  static HikariDataSource of(Schema schema, int connections) {
    var config = new HikariConfig();
    config.setJdbcUrl(schema.url());
    config.setUsername(schema.user());
    config.setPassword(schema.password());
    config.setMaximumPoolSize(connections);
    // Hundreds may have to wait for each other's turn.
    config.setConnectionTimeout(Duration.ofSeconds(30).toMillis());
    return new HikariDataSource(config);
  }
}
