package dev.tuntas.bench.faults;

import java.io.IOException;
import java.time.Duration;

/// The server's process stands still, as on a machine that was suspended or moved, and goes on.
final class ServerPaused implements Fault {

  @Override
  public String name() {
    return "server-paused";
  }

  @Override
  public String what() {
    return "the server's process stands still";
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(20);
  }

  @Override
  public boolean isSeen() {
    return true;
  }

  @Override
  public void inject(Rig rig) throws IOException, InterruptedException {
    Signals.STOP.send(Signals.family(rig.server().handle()));
  }

  @Override
  public void heal(Rig rig) throws IOException, InterruptedException {
    Signals.CONT.send(Signals.family(rig.server().handle()));
  }
}
