package dev.tuntas.inventory;

import dev.tuntas.inventory.Goods.Stay;
import dev.tuntas.inventory.Position.Change;
import dev.tuntas.store.Session;
import java.sql.SQLException;
import java.util.Map;
import java.util.SortedMap;

/// The rows of shelves, within one transaction.
final class Shelves {

  private static final String COUNT_NIGHTS =
      "select count(*) from shelf where id = ? and night >= ? and night < ?";

  /// The room is locked, so that its count stays what it is until the night is there.
  private static final String MAKE_NIGHT =
      """
      insert into shelf (id, night, stock, available)
      select id, ?, stock, stock from catalogue where kind = 'room' and id = ? for update
      on conflict do nothing
      """;

  private static final String CHANGE =
      """
      update shelf
         set available = available - ?, held = held + ?, committed = committed + ?
       where id = ? and night = ? and available >= ?
      """;

  private static final String LEFT = "select available from shelf where id = ? and night = ?";

  private final Session session;

  Shelves(Session session) {
    this.session = session;
  }

  /// Makes the nights that nobody has asked for yet, before any of them is locked.
  void prepare(Goods goods) throws SQLException {
    if (!(goods instanceof Stay stay)) return;
    var nights = stay.nights();
    long made =
        session
            .first(
                COUNT_NIGHTS,
                row -> row.getLong(1),
                stay.roomId(),
                stay.checkIn().toString(),
                stay.checkOut().toString())
            .orElse(0L);
    if (made == nights.size()) return;
    for (var night : nights) session.update(MAKE_NIGHT, night.toString(), stay.roomId());
  }

  /// Changes all of them or refuses; a refusal must end the transaction.
  void change(SortedMap<Shelf, Change> changes) throws SQLException {
    for (var entry : changes.entrySet()) {
      if (!change(entry.getKey(), entry.getValue())) throw refusal(entry);
    }
  }

  private boolean change(Shelf shelf, Change change) throws SQLException {
    long wanted = change.fromAvailable();
    return session.update(
            CHANGE, wanted, change.held(), change.taken(), shelf.id(), shelf.night(), wanted)
        == 1;
  }

  private Refusal refusal(Map.Entry<Shelf, Change> entry) throws SQLException {
    var shelf = entry.getKey();
    var left = session.first(LEFT, row -> row.getLong(1), shelf.id(), shelf.night());
    if (left.isEmpty()) {
      return new Refusal(
          shelf.isItem() ? "sku_unknown" : "room_unknown",
          "There is no " + shelf.id() + " in the catalogue.");
    }
    long wanted = entry.getValue().fromAvailable();
    return new Refusal(
        "out_of_stock",
        "There is too little of " + shelf + ": " + wanted + " wanted, " + left.get() + " left.");
  }
}
