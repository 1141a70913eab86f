package dev.tuntas.store;

import java.time.Duration;

/// A store that waits longer than usual, for tests on a machine that is busy.
final class PatientPostgres {

  private PatientPostgres() {}

  static PostgresSettings at(String url) {
    return new PostgresSettings(
        url, null, null, 8, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(20));
  }
}
