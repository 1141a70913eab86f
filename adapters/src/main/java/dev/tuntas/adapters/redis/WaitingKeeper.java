package dev.tuntas.adapters.redis;

import dev.tuntas.areas.AreaBook;
import dev.tuntas.areas.AreaService;
import dev.tuntas.areas.Slots;
import dev.tuntas.areas.Slots.Count;
import dev.tuntas.store.Tables;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Compares the mirror with the counts, and repairs it from the orders that hold a slot where it
/// shows another number. Of many processes one does it at a time.
public final class WaitingKeeper {

  private static final Logger log = LoggerFactory.getLogger(WaitingKeeper.class);

  private final AreaBook book;
  private final Tables tables;
  private final RedisWaiting mirror;
  private final Duration every;

  /// @param every how often it is done, by all processes together
  public WaitingKeeper(AreaBook book, Tables tables, RedisWaiting mirror, Duration every) {
    this.book = book;
    this.tables = tables;
    this.mirror = mirror;
    this.every = every;
  }

  /// Compares if it is this process's turn. Returns how many sets had to be repaired.
  public int round() {
    // Taken for less than the time between two rounds, or every other round would find it taken.
    if (!mirror.takeTurn(every.dividedBy(2))) return 0;
    var rules = book.current();
    var counts = new TreeMap<>(tables.read("compare the waiting counts", Slots::counts));
    int repaired = 0;
    for (var entry : counts.entrySet()) {
      var where = entry.getKey();
      if (!shows(where, entry.getValue())) {
        if (mirror.isAway()) break;
        repair(where);
        repaired++;
      }
      mirror.compared(where, entry.getValue(), rules.rules(where.area(), where.service()));
    }
    if (repaired > 0) log.info("{} waiting sets in Redis were repaired", repaired);
    return repaired;
  }

  private boolean shows(AreaService where, Count count) {
    return mirror.shown(where).filter(shown -> shown == count.waiting()).isPresent();
  }

  /// What is shown is read first: an order that was shown then and holds no slot now has left,
  /// while one that joined in between is only shown twice.
  private void repair(AreaService where) {
    var shown = mirror.members(where);
    if (shown.isEmpty()) mirror.clear(where);
    var holders = tables.read("read who waits", session -> Slots.holders(session, where));
    var gone = new HashSet<>(shown.orElse(Set.of()));
    gone.removeAll(holders.keySet());
    mirror.remove(where, gone);
    mirror.add(where, holders);
  }
}
