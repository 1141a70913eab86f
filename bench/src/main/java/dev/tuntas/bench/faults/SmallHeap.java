package dev.tuntas.bench.faults;

import java.time.Duration;

/// The server has 64 MB of memory for its objects.
final class SmallHeap implements Fault {

  @Override
  public String name() {
    return "small-heap";
  }

  @Override
  public String what() {
    return "the server has 64 MB of memory for its objects";
  }

  @Override
  public boolean isHidden() {
    return true;
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(20);
  }

  @Override
  public void prepare(Rig rig) {
    rig.jvm("-Xmx64m");
  }
}
