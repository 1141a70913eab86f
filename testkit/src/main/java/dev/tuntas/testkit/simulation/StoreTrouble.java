package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.engine.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// What the store suffers from for a while, for one process or for all: no connection, slow disks,
/// a disk that is full or may not be written, answers that come too late, rows that somebody locks.
final class StoreTrouble {

  /// What is done on the store.
  enum Work {
    READ,
    WRITE
  }

  private static final int SPAN_MAX = 30_000;
  private static final int NO_CONNECTION_WITHIN = 3_000;
  private static final int[] SLOWNESS = {300, 1_000, 5_000};
  private static final int LOCKED_WITHIN = 500;
  private static final int LOCKED_ONE_IN = 3;

  private static final List<Fault> KINDS =
      List.of(
          Fault.STORE_STARVED,
          Fault.STORE_SLOW,
          Fault.STORE_READ_ONLY,
          Fault.STORE_FULL,
          Fault.STORE_LATE,
          Fault.ROWS_LOCKED);

  /// @param node the process that suffers, or null for all
  /// @param slowness how long a call takes at most
  private record Spell(Fault kind, long until, @Nullable SimulatedNode node, int slowness) {}

  private final VirtualTime time;
  private final RandomGenerator random;
  private final Trace trace;
  private final List<Spell> spells = new ArrayList<>();

  StoreTrouble(VirtualTime time, RandomGenerator random, Trace trace) {
    this.time = time;
    this.random = random;
    this.trace = trace;
  }

  /// Draws when what goes wrong.
  void schedule(Faults faults, List<SimulatedNode> nodes, long faultsFor) {
    for (var kind : KINDS) {
      if (!faults.happens(kind, random)) continue;
      long from = random.nextLong(faultsFor);
      long until = time.millis() + from + 1_000 + random.nextLong(SPAN_MAX);
      var node = random.nextBoolean() ? null : nodes.get(random.nextInt(nodes.size()));
      var spell = new Spell(kind, until, node, SLOWNESS[random.nextInt(SLOWNESS.length)]);
      time.after(from, () -> begin(spell));
    }
  }

  private void begin(Spell spell) {
    trace.note("", "the store has trouble: " + spell.kind());
    spells.add(spell);
  }

  void heal() {
    spells.clear();
  }

  <T> T on(SimulatedNode node, Work work, Supplier<T> done) {
    return on(node, work, List.of(), done);
  }

  /// Does some work, with whatever trouble there is.
  <T> T on(SimulatedNode node, Work work, List<Write> batch, Supplier<T> done) {
    if (spells.isEmpty()) return done.get();
    spells.removeIf(spell -> spell.until() <= time.millis());
    boolean late = false;
    for (var spell : spells) {
      if (spell.node() != null && spell.node() != node) continue;
      late |= meet(spell, node, work, batch);
    }
    var result = done.get();
    if (late) throw new StoreException(Kind.UNKNOWN, "simulated: the answer came too late", null);
    return result;
  }

  /// Whether it is done and the answer comes too late.
  private boolean meet(Spell spell, SimulatedNode node, Work work, List<Write> batch) {
    boolean writes = work == Work.WRITE;
    switch (spell.kind()) {
      case STORE_STARVED -> {
        node.takes(random.nextInt(NO_CONNECTION_WITHIN));
        throw new StoreException(Kind.NOT_DONE, "simulated: no connection", null);
      }
      case STORE_SLOW -> node.takes(random.nextInt(spell.slowness()));
      case STORE_READ_ONLY -> {
        if (writes) throw new StoreException(Kind.NOT_DONE, "simulated: read-only", null);
      }
      case STORE_FULL -> {
        if (writes && random.nextInt(4) > 0)
          throw new StoreException(Kind.NOT_DONE, "simulated: the disk is full", null);
      }
      case STORE_LATE -> {
        return writes && random.nextBoolean();
      }
      default -> {
        if (batch.stream().noneMatch(write -> isLocked(write, spell))) return false;
        node.takes(random.nextInt(LOCKED_WITHIN));
        throw new StoreException(Kind.BLOCKED, "simulated: somebody has a lock", null);
      }
    }
    return false;
  }

  private static boolean isLocked(Write write, Spell spell) {
    return write instanceof Write.Move
        && Math.floorMod(write.id().hashCode() + spell.until(), LOCKED_ONE_IN) == 0;
  }
}
