package dev.tuntas.bus;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// A clock that tests move.
public final class TestClock implements InstantSource {

  private volatile Instant now = Instant.parse("2026-03-01T10:00:00Z");

  @Override
  public Instant instant() {
    return now;
  }

  public void pass(Duration time) {
    now = now.plus(time);
  }
}
