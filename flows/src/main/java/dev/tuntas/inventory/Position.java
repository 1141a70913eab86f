package dev.tuntas.inventory;

import static java.util.Collections.emptySortedMap;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// What an order has, by shelf: what it holds, and what it has taken. Every operation says which
/// position is next; what that means for the shelves is the difference.
record Position(SortedMap<Shelf, Long> held, SortedMap<Shelf, Long> taken) {

  static final Position NOTHING = new Position(emptySortedMap(), emptySortedMap());

  /// What must change on one shelf. What becomes held or taken comes out of what is available.
  record Change(long held, long taken) {

    long fromAvailable() {
      return held + taken;
    }
  }

  /// Holds what is wanted and not taken yet, and nothing else.
  Position holding(Map<Shelf, Long> wanted) {
    var next = new TreeMap<Shelf, Long>();
    wanted.forEach(
        (shelf, quantity) -> {
          long missing = quantity - taken.getOrDefault(shelf, 0L);
          if (missing > 0) next.put(shelf, missing);
        });
    return new Position(next, taken);
  }

  /// Has taken what is wanted, and holds nothing any more.
  Position taking(Map<Shelf, Long> wanted) {
    var next = new TreeMap<>(taken);
    wanted.forEach((shelf, quantity) -> next.merge(shelf, quantity, Math::max));
    return new Position(emptySortedMap(), next);
  }

  Position withoutHolds() {
    return new Position(emptySortedMap(), taken);
  }

  boolean hasTaken(Map<Shelf, Long> wanted) {
    return taken.equals(taking(wanted).taken);
  }

  /// The way to the next position, in the order in which shelves are locked.
  SortedMap<Shelf, Change> changesTo(Position next) {
    var shelves = new TreeSet<>(held.keySet());
    shelves.addAll(taken.keySet());
    shelves.addAll(next.held.keySet());
    shelves.addAll(next.taken.keySet());
    var changes = new TreeMap<Shelf, Change>();
    for (var shelf : shelves) {
      long heldMore = next.held.getOrDefault(shelf, 0L) - held.getOrDefault(shelf, 0L);
      long takenMore = next.taken.getOrDefault(shelf, 0L) - taken.getOrDefault(shelf, 0L);
      if (heldMore != 0 || takenMore != 0) changes.put(shelf, new Change(heldMore, takenMore));
    }
    return changes;
  }
}
