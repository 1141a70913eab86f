package dev.tuntas.bench.faults;

import java.time.Duration;

/// Nobody reads what the server prints, until the pipe is full and longer.
final class UnreadOutput implements Fault {

  @Override
  public String name() {
    return "unread-stdout";
  }

  @Override
  public String what() {
    return "nobody reads what the server prints";
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(20);
  }

  @Override
  public boolean isHidden() {
    return true;
  }

  /// At the usual level the pipe would be full after hours.
  @Override
  public void prepare(Rig rig) {
    rig.argument("--logging.level.root=debug");
  }

  @Override
  public void inject(Rig rig) {
    rig.server().stopReading();
  }

  @Override
  public void heal(Rig rig) {
    rig.server().readAgain();
  }
}
