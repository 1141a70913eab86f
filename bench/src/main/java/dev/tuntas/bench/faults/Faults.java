package dev.tuntas.bench.faults;

import java.util.ArrayList;
import java.util.List;

/// All that can go wrong, in the order in which it is tried. Each one is made anew for each run.
final class Faults {

  private Faults() {}

  static List<Fault> all() {
    var all = new ArrayList<Fault>();
    all.add(new UnreadOutput());
    all.add(new ConnectionsExhausted());
    all.add(new DiskFull());
    all.add(new ReadOnly());
    all.add(new BadPages());
    all.add(new RowsLocked());
    all.add(new Failover());
    all.addAll(WireFault.all());
    all.add(new TopicsDeleted());
    all.add(new QueuesDeleted());
    all.addAll(ClockJump.both());
    all.add(new OpenFiles());
    all.add(new SmallHeap());
    all.add(new Backlog());
    all.add(new KilledStarts());
    all.add(new OldData());
    return all;
  }
}
