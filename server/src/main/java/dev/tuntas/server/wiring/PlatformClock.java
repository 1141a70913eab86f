package dev.tuntas.server.wiring;

import dev.tuntas.engine.SteadyTime;
import java.time.Instant;
import java.time.InstantSource;

/// What time it is for this process: the engine's time as soon as there is an engine, so that
/// nothing here compares two clocks. Without one it follows this machine's clock, slowly if that is
/// set.
final class PlatformClock implements InstantSource {

  private volatile InstantSource followed =
      SteadyTime.following("The clock of this machine", InstantSource.system(), System::nanoTime);

  void follow(InstantSource engines) {
    followed = engines;
  }

  @Override
  public Instant instant() {
    return followed.instant();
  }
}
