package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// The processes of PostgreSQL stand still or end without a warning; later they go on, or are
/// started again.
record DatabaseHalted(String name, String what, Signals by, Duration lasts) implements Fault {

  static List<Fault> all() {
    return List.of(
        new DatabaseHalted(
            "database-paused",
            "the processes of PostgreSQL stand still",
            Signals.STOP,
            Duration.ofSeconds(20)),
        new DatabaseHalted(
            "database-killed",
            "the processes of PostgreSQL are killed, and started again",
            Signals.KILL,
            Duration.ofSeconds(8)));
  }

  @Override
  public Set<StoreKind> stores() {
    return Set.of(StoreKind.POSTGRES);
  }

  @Override
  public boolean isSeen() {
    return true;
  }

  @Override
  public void inject(Rig rig) throws IOException, InterruptedException {
    by.send(Signals.family(rig.postgres().handle()));
  }

  @Override
  public void heal(Rig rig) throws IOException, InterruptedException {
    if (by == Signals.KILL) rig.postgres().startIfDown();
    else Signals.CONT.send(Signals.family(rig.postgres().handle()));
  }
}
