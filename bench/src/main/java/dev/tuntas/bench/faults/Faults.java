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
    all.add(new DiskFrozen());
    all.addAll(RowsLocked.all());
    all.addAll(TablesLocked.both());
    all.add(new SessionsEnded());
    all.add(new ReadOnlySessions());
    all.addAll(DatabaseHalted.all());
    all.add(new Failover());
    all.addAll(WireFault.all());
    all.addAll(RedisTrouble.both());
    all.add(new TopicsDeleted());
    all.add(new QueuesDeleted());
    all.add(new RabbitAlarm());
    all.addAll(ClockJump.all());
    all.add(new ServerPaused());
    all.add(new OpenFiles());
    all.add(new SmallHeap());
    all.add(new Backlog());
    all.add(new KilledStarts());
    all.add(new OldData());
    return all;
  }
}
