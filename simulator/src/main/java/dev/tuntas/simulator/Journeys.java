package dev.tuntas.simulator;

import dev.tuntas.rides.DispatchEvent;
import dev.tuntas.simulator.Course.Telling;
import dev.tuntas.simulator.Journey.State;
import dev.tuntas.store.JacksonDataCodec;
import dev.tuntas.store.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Bookings and callbacks, as the dispatch partner remembers them.
final class Journeys {

  private static final String FIND =
      """
      select booking_id, order_id, state, job_id, attempt, driver_id, since, due_at, version
        from booking where booking_id = ? and order_id is not null
      """;
  private static final String ADD =
      """
      insert into booking
        (booking_id, order_id, state, job_id, attempt, driver_id, since, due_at, version)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing
      """;

  /// Two processes may wake a booking at the same moment: one of them moves it.
  private static final String MOVE =
      """
      update booking set state = ?, job_id = ?, attempt = ?, driver_id = ?, since = ?, due_at = ?,
        version = ?
       where booking_id = ? and version = ?
      """;

  private static final String ADD_CALLBACK =
      """
      insert into callback (delivery_id, copy, at, event) values (?, ?, ?, ?)
      on conflict do nothing
      """;

  record Due(String bookingId, Instant at) {}

  private final JacksonDataCodec codec = new JacksonDataCodec();

  Optional<Journey> find(Session session, String bookingId) throws SQLException {
    return session.first(FIND, Journeys::read, bookingId);
  }

  private static Journey read(ResultSet row) throws SQLException {
    return new Journey(
        row.getString(1),
        row.getString(2),
        State.valueOf(row.getString(3)),
        row.getString(4),
        row.getInt(5),
        row.getString(6),
        Instant.ofEpochMilli(row.getLong(7)),
        Session.time(row, 8),
        row.getLong(9));
  }

  /// Adds a booking; false if there is one, or its tombstone.
  boolean add(Session session, Journey journey) throws SQLException {
    int added =
        session.update(
            ADD,
            journey.bookingId(),
            journey.orderId(),
            journey.state().name(),
            journey.jobId(),
            journey.attempt(),
            journey.driverId(),
            journey.since(),
            journey.dueAt(),
            journey.version());
    return added == 1;
  }

  /// Makes sure that a booking which is still on its way will not be made.
  void bury(Session session, String bookingId, Instant now) throws SQLException {
    session.update(ADD, bookingId, null, State.CANCELLED.name(), null, 0, null, now, null, 0L);
  }

  /// Writes what a booking has become; false if somebody else has moved it.
  boolean move(Session session, Journey journey) throws SQLException {
    int moved =
        session.update(
            MOVE,
            journey.state().name(),
            journey.jobId(),
            journey.attempt(),
            journey.driverId(),
            journey.since(),
            journey.dueAt(),
            journey.version(),
            journey.bookingId(),
            journey.version() - 1);
    return moved == 1;
  }

  void add(Session session, List<Telling> callbacks) throws SQLException {
    for (var callback : callbacks) {
      var event = callback.event();
      session.update(
          ADD_CALLBACK,
          event.deliveryId(),
          callback.copy(),
          callback.at(),
          codec.encode(event, DispatchEvent.class));
    }
  }

  void remove(Session session, Telling callback) throws SQLException {
    session.update(
        "delete from callback where delivery_id = ? and copy = ?",
        callback.event().deliveryId(),
        callback.copy());
  }

  List<Due> due(Session session) throws SQLException {
    return session.list(
        "select booking_id, due_at from booking where due_at is not null order by due_at",
        row -> new Due(row.getString(1), Objects.requireNonNull(Session.time(row, 2))));
  }

  List<Telling> callbacks(Session session) throws SQLException {
    return session.list(
        "select event, copy, at from callback order by at",
        row ->
            new Telling(
                codec.decode(row.getString(1), DispatchEvent.class),
                row.getInt(2),
                Instant.ofEpochMilli(row.getLong(3))));
  }
}
