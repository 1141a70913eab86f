package dev.tuntas.inventory;

import dev.tuntas.store.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The rows of orders, what they hold and what they have taken, within one transaction.
final class Bookings {

  private static final String ENTER =
      "insert into bookings (booking_id, created_at) values (?, ?) on conflict do nothing";
  private static final String LOOK =
      "select released_at is not null from bookings where booking_id = ?";
  private static final String LOCK = LOOK + " for update";
  private static final String EXPIRED =
      """
      select booking_id from reservation_holds where expires_at <= ?
       group by booking_id order by min(expires_at) limit ?
      """;
  private static final String RELEASE = "update bookings set released_at = ? where booking_id = ?";

  private static final String POSITION =
      """
      select 'held', id, night, quantity, expires_at from reservation_holds where booking_id = ?
      union all
      select 'taken', id, night, quantity, null from taken where booking_id = ?
      """;

  private static final String HOLD =
      """
      insert into reservation_holds (booking_id, id, night, quantity, expires_at, created_at)
      values (?, ?, ?, ?, cast(? as bigint), ?)
      """;

  private static final String TAKE =
      """
      insert into taken (booking_id, id, night, quantity) values (?, ?, ?, ?)
      on conflict (booking_id, id, night) do update set quantity = excluded.quantity
      """;

  private static final String DROP_HOLDS = "delete from reservation_holds where booking_id = ?";
  private static final String DROP_TAKEN = "delete from taken where booking_id = ?";

  /// An order, locked until the transaction ends.
  ///
  /// @param fresh it was not known before
  record Booking(String id, boolean fresh, boolean released) {}

  /// @param expiresAt when what is held expires; without it, it is kept
  record Holding(Position position, @Nullable Instant expiresAt) {

    static final Holding NOTHING = new Holding(Position.NOTHING, null);

    boolean isKept() {
      return !position.held().isEmpty() && expiresAt == null;
    }

    boolean isExpired(Instant now) {
      return expiresAt != null && !expiresAt.isAfter(now);
    }
  }

  private record Part(boolean isHeld, Shelf shelf, long quantity, @Nullable Instant expiresAt) {}

  private final Session session;

  Bookings(Session session) {
    this.session = session;
  }

  /// Locks an order, which becomes known if it was not.
  Booking enter(String id, Instant now) throws SQLException {
    if (session.update(ENTER, id, now) == 1) return new Booking(id, true, false);
    return new Booking(id, false, session.first(LOCK, row -> row.getBoolean(1), id).orElseThrow());
  }

  Holding holding(Booking booking) throws SQLException {
    if (booking.fresh) return Holding.NOTHING;
    var held = new TreeMap<Shelf, Long>();
    var taken = new TreeMap<Shelf, Long>();
    Instant expiresAt = null;
    for (var part : session.list(POSITION, Bookings::part, booking.id, booking.id)) {
      (part.isHeld ? held : taken).put(part.shelf, part.quantity);
      if (part.isHeld) expiresAt = part.expiresAt; // the same for all that an order holds
    }
    return new Holding(new Position(held, taken), expiresAt);
  }

  private static Part part(ResultSet row) throws SQLException {
    return new Part(
        row.getString(1).equals("held"),
        new Shelf(row.getString(2), row.getString(3)),
        row.getLong(4),
        Session.time(row, 5));
  }

  /// What an order holds or else has taken, or a refusal.
  Goods goods(String id) throws SQLException {
    if (session.first(LOOK, row -> row.getBoolean(1), id).orElse(false)) throw released(id);
    var position = holding(new Booking(id, false, false)).position;
    var shelves = position.held().isEmpty() ? position.taken() : position.held();
    if (shelves.isEmpty()) {
      throw new Refusal("nothing_held", "Nothing is held for " + id + ": reserve it again.");
    }
    return Wanted.asGoods(shelves)
        .orElseThrow(() -> new Refusal("goods_mixed", "Please name the goods of " + id + "."));
  }

  static Refusal released(String id) {
    return new Refusal(Refusal.RELEASED, "The goods of " + id + " were given back.");
  }

  /// Replaces what an order has.
  void write(Booking booking, Holding before, Holding after, Instant now) throws SQLException {
    if (!before.position.held().isEmpty()) session.update(DROP_HOLDS, booking.id);
    for (var hold : after.position.held().entrySet()) {
      var shelf = hold.getKey();
      session.update(
          HOLD, booking.id, shelf.id(), shelf.night(), hold.getValue(), after.expiresAt, now);
    }
    var taken = after.position.taken();
    if (!taken.equals(before.position.taken())) take(booking, taken);
  }

  private void take(Booking booking, SortedMap<Shelf, Long> taken) throws SQLException {
    if (taken.isEmpty()) session.update(DROP_TAKEN, booking.id);
    for (var entry : taken.entrySet()) {
      var shelf = entry.getKey();
      session.update(TAKE, booking.id, shelf.id(), shelf.night(), entry.getValue());
    }
  }

  /// Leaves a tombstone.
  void release(Booking booking, Instant now) throws SQLException {
    session.update(RELEASE, now, booking.id);
  }

  /// Orders whose holds have run out, the oldest first.
  static List<String> expired(Session session, Instant now, int limit) throws SQLException {
    return session.list(EXPIRED, row -> row.getString(1), now, limit);
  }
}
