package dev.tuntas.inventory;

import dev.tuntas.inventory.Goods.Line;
import dev.tuntas.inventory.Goods.Lines;
import dev.tuntas.inventory.Goods.Stay;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Goods, by shelf. Lines of one item are added up.
final class Wanted {

  static final int LINES_MAX = 100;
  static final int NIGHTS_MAX = 30;
  static final int QUANTITY_MAX = 1_000_000;

  /// Dates are compared as text, which has four digits for the year.
  private static final int YEAR_MAX = 9999;

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,63}");
  private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1,255}");

  private Wanted() {}

  /// How many of what is where, or a refusal of goods that make no sense.
  static SortedMap<Shelf, Long> of(Goods goods) {
    return Collections.unmodifiableSortedMap(
        switch (goods) {
          case Lines(var lines) -> items(lines);
          case Stay stay -> nights(stay);
        });
  }

  private static SortedMap<Shelf, Long> items(List<Line> lines) {
    if (lines.isEmpty() || lines.size() > LINES_MAX) {
      throw new Refusal("lines_invalid", "An order has 1 to " + LINES_MAX + " lines.");
    }
    var wanted = new TreeMap<Shelf, Long>();
    for (var line : lines) {
      requireId("sku_unknown", "sku", line.sku());
      requireQuantity(line.quantity());
      requireQuantity(wanted.merge(Shelf.ofItem(line.sku()), (long) line.quantity(), Long::sum));
    }
    return wanted;
  }

  private static SortedMap<Shelf, Long> nights(Stay stay) {
    requireId("room_unknown", "room", stay.roomId());
    requireQuantity(stay.rooms());
    long nights = ChronoUnit.DAYS.between(stay.checkIn(), stay.checkOut());
    if (nights < 1 || nights > NIGHTS_MAX || stay.checkOut().getYear() > YEAR_MAX) {
      throw new Refusal("time_invalid", "A stay has 1 to " + NIGHTS_MAX + " nights.");
    }
    var wanted = new TreeMap<Shelf, Long>();
    for (var night : stay.nights()) {
      wanted.put(Shelf.ofRoom(stay.roomId(), night), (long) stay.rooms());
    }
    return wanted;
  }

  /// The goods that lie on these shelves, unless they are not one order's kind of thing.
  static Optional<Goods> asGoods(SortedMap<Shelf, Long> shelves) {
    if (shelves.isEmpty()) return Optional.empty();
    var first = shelves.firstKey();
    int quantity = Math.toIntExact(shelves.firstEntry().getValue());
    Goods goods =
        first.isItem()
            ? new Lines(shelves.entrySet().stream().map(Wanted::line).toList())
            : stay(first, LocalDate.parse(shelves.lastKey().night()), quantity);
    try {
      return of(goods).equals(shelves) ? Optional.of(goods) : Optional.empty();
    } catch (Refusal _) {
      return Optional.empty();
    }
  }

  private static Line line(Map.Entry<Shelf, Long> entry) {
    return new Line(entry.getKey().id(), Math.toIntExact(entry.getValue()));
  }

  private static Stay stay(Shelf first, LocalDate lastNight, int rooms) {
    return new Stay(first.id(), rooms, LocalDate.parse(first.night()), lastNight.plusDays(1));
  }

  private static void requireQuantity(long quantity) {
    if (quantity < 1 || quantity > QUANTITY_MAX) {
      throw new Refusal("out_of_range", "A quantity is between 1 and " + QUANTITY_MAX + ".");
    }
  }

  /// Whether something in stock could have this id.
  static boolean isId(String id) {
    return ID.matcher(id).matches();
  }

  static void requireId(String code, String what, String id) {
    if (!isId(id)) {
      throw new Refusal(
          code, "The id of a " + what + " has 1 to 64 letters, digits, and . _ : or - inside.");
    }
  }

  static void requireKey(String what, String key) {
    if (!KEY.matcher(key).matches()) {
      throw new Refusal(
          what + "_invalid", "This " + what + " must have 1 to 255 visible ASCII characters.");
    }
  }
}
