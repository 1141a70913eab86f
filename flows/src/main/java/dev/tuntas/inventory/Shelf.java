package dev.tuntas.inventory;

import java.time.LocalDate;
import java.util.Comparator;

/// Where goods lie: an item has one shelf, a room one for every night. Shelves are locked in their
/// order, so that no two orders wait for each other.
///
/// @param night empty for an item
record Shelf(String id, String night) implements Comparable<Shelf> {

  private static final Comparator<Shelf> ORDER =
      Comparator.comparing(Shelf::id).thenComparing(Shelf::night);

  static Shelf ofItem(String sku) {
    return new Shelf(sku, "");
  }

  static Shelf ofRoom(String roomId, LocalDate night) {
    return new Shelf(roomId, night.toString());
  }

  boolean isItem() {
    return night.isEmpty();
  }

  @Override
  public int compareTo(Shelf other) {
    return ORDER.compare(this, other);
  }

  /// For people.
  @Override
  public String toString() {
    return isItem() ? id : id + " on " + night;
  }
}
