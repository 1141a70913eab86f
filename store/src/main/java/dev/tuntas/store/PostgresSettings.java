package dev.tuntas.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How to reach a PostgreSQL database, and how long to wait for it. The store keeps connections of
/// its own, because it pins planner settings and timeouts on them. Without a user or password,
/// those of the URL or of the machine count.
public record PostgresSettings(
    String url,
    @Nullable String user,
    @Nullable String password,
    int connectionsMax,
    Duration connectTimeout,
    Duration statementTimeout,
    Duration lockTimeout) {

  public PostgresSettings {
    if (!url.startsWith("jdbc:postgresql:")) {
      throw new IllegalArgumentException("the URL must begin with jdbc:postgresql:");
    }
    if (connectionsMax < 4) {
      throw new IllegalArgumentException("the store needs at least 4 connections");
    }
    requireMillis("connect timeout", connectTimeout);
    requireMillis("statement timeout", statementTimeout);
    requireMillis("lock timeout", lockTimeout);
  }

  /// Eight connections, and timeouts that let a stalled database be noticed within seconds.
  public static PostgresSettings of(String url, @Nullable String user, @Nullable String password) {
    return new PostgresSettings(
        url,
        user,
        password,
        8,
        Duration.ofSeconds(3),
        Duration.ofSeconds(10),
        Duration.ofSeconds(3));
  }

  private static void requireMillis(String name, Duration timeout) {
    if (timeout.toMillis() < 1 || timeout.compareTo(Duration.ofMinutes(10)) > 0) {
      throw new IllegalArgumentException("the " + name + " must be between 1 ms and 10 minutes");
    }
  }

  /// The URL without its parameters, one of which may be the password.
  String address() {
    return url.replaceFirst("\\?.*", "");
  }

  @Override
  public String toString() {
    return "PostgresSettings[" + address() + ", connectionsMax=" + connectionsMax + "]";
  }
}
