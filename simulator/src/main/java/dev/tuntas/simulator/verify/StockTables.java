package dev.tuntas.simulator.verify;

import dev.tuntas.simulator.verify.Evidence.Holding;
import dev.tuntas.simulator.verify.Evidence.Shelf;
import dev.tuntas.store.Session.RowReader;
import dev.tuntas.store.Tables;
import java.util.List;
import java.util.function.Consumer;

/// Reads the inventory's tables, page by page.
final class StockTables {

  private static final int PAGE = 1_000;

  private static final String SHELVES =
      """
      select '', id, night, stock, available, held, committed from shelf
       where ('', id, night) > (?, ?, ?) order by id, night limit ?
      """;
  private static final String HELD =
      """
      select booking_id, id, night, quantity, 0 from reservation_holds
       where (booking_id, id, night) > (?, ?, ?) order by booking_id, id, night limit ?
      """;
  private static final String TAKEN =
      """
      select booking_id, id, night, 0, quantity from taken
       where (booking_id, id, night) > (?, ?, ?) order by booking_id, id, night limit ?
      """;

  private record Place(String order, String id, String night) {

    String thing() {
      return night.isEmpty() ? id : id + " " + night;
    }
  }

  private record Found<T>(Place place, T what) {}

  private final Tables tables;

  StockTables(Tables tables) {
    this.tables = tables;
  }

  void eachShelf(Consumer<Shelf> taker) {
    each(
        SHELVES,
        row -> {
          var place = new Place(row.getString(1), row.getString(2), row.getString(3));
          return new Found<>(
              place,
              new Shelf(
                  place.thing(), row.getLong(4), row.getLong(5), row.getLong(6), row.getLong(7)));
        },
        taker);
  }

  void eachHolding(Consumer<Holding> taker) {
    for (var query : List.of(HELD, TAKEN)) {
      each(
          query,
          row -> {
            var place = new Place(row.getString(1), row.getString(2), row.getString(3));
            return new Found<>(
                place, new Holding(place.order(), place.thing(), row.getLong(4), row.getLong(5)));
          },
          taker);
    }
  }

  private <T> void each(String query, RowReader<Found<T>> reader, Consumer<T> taker) {
    var after = new Place("", "", "");
    while (true) {
      var from = after;
      var page =
          tables.read(
              "read the stock",
              session -> session.list(query, reader, from.order(), from.id(), from.night(), PAGE));
      page.forEach(found -> taker.accept(found.what()));
      if (page.size() < PAGE) return;
      after = page.getLast().place();
    }
  }
}
