package dev.tuntas.areas;

import dev.tuntas.areas.AreaDesk.Standing;
import dev.tuntas.store.Bulk;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// How full areas were, minute by minute, and what became of those who waited.
public final class AreaHistory {

  /// Some minutes of a service in an area.
  ///
  /// @param waitingMean of the minutes' counts
  public record Stretch(
      String service,
      Instant at,
      double waitingMean,
      long waitingMost,
      long threshold,
      long taken,
      long bypassed,
      long assigned,
      long cancelledUser,
      long cancelledTimeout,
      long endedOtherwise,
      long refused) {}

  /// Orders that would have been refused.
  public record Shadow(String area, String service, String code, long orders, long waitingMost) {}

  private static final long MINUTE = Duration.ofMinutes(1).toMillis();

  private static final Bulk ROWS =
      new Bulk(
          "areas_history",
          "area",
          "area",
          "service",
          "at",
          "waiting",
          "threshold",
          "taken",
          "bypassed",
          "assigned",
          "cancelled_user",
          "cancelled_timeout",
          "ended_otherwise",
          "refused");

  private static final String TAKEN =
      """
      select area, service, count(*), sum(bypassed) from areas_slot
       where taken_at >= ? and taken_at < ? group by area, service
      """;

  private static final String ENDED =
      """
      select area, service, outcome, count(*) from areas_slot
       where ended_at >= ? and ended_at < ? group by area, service, outcome
      """;

  private static final String STRETCHES =
      """
      select service, (at / ?) * ?, avg(waiting), max(waiting), max(threshold), sum(taken),
             sum(bypassed), sum(assigned), sum(cancelled_user), sum(cancelled_timeout),
             sum(ended_otherwise), sum(refused)
        from areas_history
       where area = ? and at >= ? and at < ?
       group by 1, 2 order by 2, 1
      """;

  private final Tables tables;
  private final AreaDesk desk;

  public AreaHistory(Tables tables, AreaDesk desk) {
    this.tables = tables;
    this.desk = desk;
  }

  /// Writes down the minute that is over, unless another process has, and those whom this process
  /// refused since it did so last.
  public void record(Instant now, Map<AreaService, Long> refused) {
    var end = now.truncatedTo(ChronoUnit.MINUTES);
    var begin = end.minusMillis(MINUTE);
    var standings = desk.standings();
    tables.write(
        "record the load of areas",
        session -> {
          var moved = Movements.read(session, begin, end);
          ROWS.insert(session, standings.stream().map(it -> row(it, begin, moved)).toList());
          // In their order, so that two processes do not wait for each other.
          for (var entry : new TreeMap<>(refused).entrySet()) {
            session.update(
                """
                update areas_history set refused = refused + ?
                 where area = ? and service = ? and at = ?
                """,
                entry.getValue(),
                entry.getKey().area(),
                entry.getKey().service(),
                begin);
          }
          return true;
        });
  }

  private static List<Object> row(Standing standing, Instant begin, Movements moved) {
    var load = standing.load();
    var key = new AreaService(load.area().id(), load.service());
    var taken = moved.taken.getOrDefault(key, List.of(0L, 0L));
    var row = new ArrayList<Object>();
    row.addAll(List.of(key.area(), key.service(), begin, load.waiting(), load.thresholdAt(begin)));
    row.addAll(taken);
    var ended = moved.ended.getOrDefault(key, Map.of());
    for (var why : Departure.values()) row.add(ended.getOrDefault(why, 0L));
    row.add(0L);
    return row;
  }

  /// Who came and who left in a minute.
  ///
  /// @param taken how many slots were taken, and how many of them beyond the threshold
  private record Movements(
      Map<AreaService, List<Long>> taken, Map<AreaService, Map<Departure, Long>> ended) {

    static Movements read(Session session, Instant begin, Instant end) throws SQLException {
      var taken = new HashMap<AreaService, List<Long>>();
      session.list(
          TAKEN, row -> taken.put(key(row), List.of(row.getLong(3), row.getLong(4))), begin, end);
      var ended = new HashMap<AreaService, Map<Departure, Long>>();
      session.list(
          ENDED,
          row ->
              ended
                  .computeIfAbsent(key(row), _ -> new EnumMap<>(Departure.class))
                  .merge(Departure.valueOf(row.getString(3)), row.getLong(4), Long::sum),
          begin,
          end);
      return new Movements(taken, ended);
    }

    private static AreaService key(ResultSet row) throws SQLException {
      return new AreaService(row.getString(1), row.getString(2));
    }
  }

  /// The load of an area, in stretches of so many minutes.
  public List<Stretch> stretches(String area, Instant from, Instant to, long minutes) {
    long width = minutes * MINUTE;
    return tables.read(
        "read the history of area " + area,
        session -> session.list(STRETCHES, AreaHistory::stretch, width, width, area, from, to));
  }

  private static Stretch stretch(ResultSet row) throws SQLException {
    return new Stretch(
        row.getString(1),
        Instant.ofEpochMilli(row.getLong(2)),
        row.getDouble(3),
        row.getLong(4),
        row.getLong(5),
        row.getLong(6),
        row.getLong(7),
        row.getLong(8),
        row.getLong(9),
        row.getLong(10),
        row.getLong(11),
        row.getLong(12));
  }

  /// What shadow mode would have refused.
  public List<Shadow> shadows(Instant from, Instant to) {
    return tables.read(
        "read what would have been refused",
        session ->
            session.list(
                """
                select area, service, code, count(*), max(waiting) from areas_shadow
                 where at >= ? and at < ? group by area, service, code order by area, service, code
                """,
                row ->
                    new Shadow(
                        row.getString(1),
                        row.getString(2),
                        row.getString(3),
                        row.getLong(4),
                        row.getLong(5)),
                from,
                to));
  }

  /// Forgets what is older, and slots that were given back before `slotsBefore`. True if there may
  /// be more.
  public boolean forget(Instant before, Instant slotsBefore, int limit) {
    return tables.write(
        "forget the history of areas",
        session -> {
          session.update("delete from areas_history where at < ?", before);
          session.update("delete from areas_shadow where at < ?", before);
          return Slots.forget(session, slotsBefore, limit) == limit;
        });
  }
}
