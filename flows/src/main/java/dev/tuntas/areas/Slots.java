package dev.tuntas.areas;

import dev.tuntas.store.Bulk;
import dev.tuntas.store.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The slots of waiting orders, counted exactly: at every commit, the count of an area is the
/// number of orders that hold a slot there, and no slot was taken beyond its limit. All of it
/// happens in transactions of the caller's, who so ties a slot to the order's own state.
public final class Slots {

  /// How many wait, and when so many last did that the area was full.
  ///
  /// @param oldest since when the first of them waits
  public record Count(long waiting, @Nullable Instant reachedAt, @Nullable Instant oldest) {

    public static final Count NONE = new Count(0, null, null);
  }

  private static final String LOCK =
      "select waiting, reached_at from areas_load where area = ? and service = ? for update";

  private static final String COUNT =
      """
      select waiting, reached_at,
             (select min(taken_at) from areas_slot s
               where s.area = l.area and s.service = l.service and s.ended_at is null),
             area, service
        from areas_load l
      """;

  private static final String GIVE_BACK =
      """
      update areas_slot set ended_at = ?, outcome = ?
       where order_id = any (?) and ended_at is null
      returning area, service
      """;

  /// The moment before one of a full area leaves is the last at which it was full.
  private static final String COUNT_DOWN =
      """
      update areas_load
         set waiting = waiting - ?,
             reached_at = case when waiting >= threshold then ? else reached_at end
       where area = ? and service = ?
      """;

  private static final String REBUILD =
      """
      update areas_load set waiting =
             (select count(*) from areas_slot s
               where s.area = areas_load.area and s.service = areas_load.service
                 and s.ended_at is null)
      """;

  private static final String WRONG =
      """
      select l.area, l.service from areas_load l
       where l.waiting <> (select count(*) from areas_slot s
                            where s.area = l.area and s.service = l.service
                              and s.ended_at is null)
       order by l.area, l.service
      """;

  private static final Bulk SLOTS =
      new Bulk(
          "areas_slot",
          "order_id",
          "order_id",
          "area",
          "service",
          "taken_at",
          "expires_at",
          "bypassed");

  private static final Bulk SHADOWS =
      new Bulk(
          "areas_shadow",
          "order_id",
          "order_id",
          "area",
          "service",
          "at",
          "waiting",
          "threshold",
          "code");

  private Slots() {}

  // Taking

  /// Takes one slot. False if there is none; then nothing was changed.
  public static boolean take(Session session, Wanted wanted, Instant now) throws SQLException {
    return takeAll(session, List.of(wanted), now).isEmpty();
  }

  /// Takes the slots of many orders, with one lock and one update for each area. Returns the ids of
  /// the orders that found none; of these nothing is written. An order that has or had a slot gets
  /// no second one and is not refused.
  public static Set<String> takeAll(Session session, List<Wanted> wanted, Instant now)
      throws SQLException {
    if (wanted.isEmpty()) return Set.of();
    var known = known(session, wanted);
    var refused = new HashSet<String>();
    for (var group : grouped(wanted, known).entrySet()) {
      var taking = new Taking(lock(session, group.getKey()), now);
      group.getValue().forEach(taking::add);
      taking.write(session, group.getKey());
      refused.addAll(taking.refused);
    }
    return refused;
  }

  private static Set<String> known(Session session, List<Wanted> wanted) throws SQLException {
    return new HashSet<>(
        session.list(
            "select order_id from areas_slot where order_id = any (?)",
            row -> row.getString(1),
            wanted.stream().map(Wanted::orderId).toList()));
  }

  private static SortedMap<AreaService, List<Wanted>> grouped(
      List<Wanted> wanted, Set<String> known) {
    var groups = new TreeMap<AreaService, List<Wanted>>();
    var seen = new HashSet<>(known);
    for (var one : wanted) {
      if (!seen.add(one.orderId())) continue;
      groups
          .computeIfAbsent(new AreaService(one.area(), one.service()), _ -> new ArrayList<>())
          .add(one);
    }
    return groups;
  }

  private static Count lock(Session session, AreaService key) throws SQLException {
    var found = session.first(LOCK, Slots::locked, key.area(), key.service());
    if (found.isPresent()) return found.get();
    session.update(
        "insert into areas_load (area, service) values (?, ?) on conflict do nothing",
        key.area(),
        key.service());
    return session.first(LOCK, Slots::locked, key.area(), key.service()).orElse(Count.NONE);
  }

  private static Count locked(ResultSet row) throws SQLException {
    return new Count(row.getLong(1), Session.time(row, 2), null);
  }

  /// What is taken of one count while it is locked.
  private static final class Taking {

    final Set<String> refused = new HashSet<>();
    private final Instant now;
    private final long before;
    private long waiting;
    private long threshold;
    private @Nullable Instant reachedAt;
    private final List<List<Object>> slots = new ArrayList<>();
    private final List<List<Object>> shadows = new ArrayList<>();

    Taking(Count count, Instant now) {
      this.now = now;
      this.before = count.waiting;
      this.waiting = count.waiting;
      this.reachedAt = count.reachedAt;
    }

    void add(Wanted wanted) {
      var limit = wanted.limit();
      boolean fits =
          waiting < limit.waitingBelow()
              && (reachedAt == null || !reachedAt.isAfter(limit.fullBefore()));
      if (!fits && limit.enforced()) {
        refused.add(wanted.orderId());
        return;
      }
      if (!fits) shadows.add(shadow(wanted));
      slots.add(slot(wanted, waiting >= limit.threshold()));
      waiting++;
      threshold = limit.threshold();
      if (waiting >= threshold) reachedAt = now;
    }

    private List<Object> shadow(Wanted wanted) {
      return List.of(
          wanted.orderId(),
          wanted.area(),
          wanted.service(),
          now,
          waiting,
          wanted.limit().threshold(),
          wanted.code().name());
    }

    private List<Object> slot(Wanted wanted, boolean beyond) {
      return List.of(
          wanted.orderId(),
          wanted.area(),
          wanted.service(),
          now,
          wanted.expiresAt(),
          beyond ? 1L : 0L);
    }

    void write(Session session, AreaService key) throws SQLException {
      if (slots.isEmpty()) return;
      int written = SLOTS.insert(session, slots).size();
      if (written < slots.size()) {
        // Another transaction took the slot of the same order since we looked.
        waiting -= slots.size() - written;
      }
      SHADOWS.insert(session, shadows);
      session.update(
          """
          update areas_load set waiting = waiting + ?, threshold = ?, reached_at = ?
           where area = ? and service = ?
          """,
          waiting - before,
          threshold,
          reachedAt,
          key.area(),
          key.service());
    }
  }

  // Giving back

  /// Gives back the slot of an order that no longer waits. True exactly once.
  public static boolean giveBack(Session session, String orderId, Departure why, Instant now)
      throws SQLException {
    return leave(session, orderId, why, now).isPresent();
  }

  /// The same, and tells where the order waited.
  public static Optional<AreaService> leave(
      Session session, String orderId, Departure why, Instant now) throws SQLException {
    return leaveAll(session, Map.of(orderId, why), now).keySet().stream().findFirst();
  }

  /// The same for many. Returns how many slots were given back.
  public static int giveBackAll(Session session, Map<String, Departure> departures, Instant now)
      throws SQLException {
    return leaveAll(session, departures, now).values().stream().mapToInt(Long::intValue).sum();
  }

  private static SortedMap<AreaService, Long> leaveAll(
      Session session, Map<String, Departure> departures, Instant now) throws SQLException {
    var left = new TreeMap<AreaService, Long>();
    for (var why : Departure.values()) {
      var orders = new TreeSet<String>();
      departures.forEach(
          (order, reason) -> {
            if (reason == why) orders.add(order);
          });
      if (orders.isEmpty()) continue;
      lockSlots(session, orders);
      for (var key : session.list(GIVE_BACK, Slots::key, now, why.name(), orders)) {
        left.merge(key, 1L, Long::sum);
      }
    }
    for (var entry : left.entrySet()) {
      var key = entry.getKey();
      session.update(COUNT_DOWN, entry.getValue(), now, key.area(), key.service());
    }
    return left;
  }

  /// In their order, so that two who give back the same slots do not wait for each other.
  private static void lockSlots(Session session, Collection<String> orders) throws SQLException {
    session.list(
        "select order_id from areas_slot where order_id = any (?) order by order_id for update",
        row -> row.getString(1),
        orders);
  }

  private static AreaService key(ResultSet row) throws SQLException {
    return new AreaService(row.getString(1), row.getString(2));
  }

  // Looking

  public static Count count(Session session, String area, String service) throws SQLException {
    return session
        .first(COUNT + " where area = ? and service = ?", Slots::counted, area, service)
        .orElse(Count.NONE);
  }

  /// All counts.
  public static Map<AreaService, Count> counts(Session session) throws SQLException {
    var counts = new HashMap<AreaService, Count>();
    session.list(
        COUNT,
        row -> counts.put(new AreaService(row.getString(4), row.getString(5)), counted(row)));
    return counts;
  }

  private static Count counted(ResultSet row) throws SQLException {
    return new Count(row.getLong(1), Session.time(row, 2), Session.time(row, 3));
  }

  /// How many orders found a driver in a second, over the time before now.
  public static Map<AreaService, Double> assignedPerSecond(
      Session session, Instant now, Duration over) throws SQLException {
    var rates = new HashMap<AreaService, Double>();
    session.list(
        """
        select area, service, count(*) from areas_slot
         where ended_at > ? and outcome = 'ASSIGNED' group by area, service
        """,
        row -> rates.put(key(row), row.getLong(3) / (double) over.toSeconds()),
        now.minus(over));
    return rates;
  }

  /// Whether this order waits.
  public static Optional<AreaService> heldBy(Session session, String orderId) throws SQLException {
    return session.first(
        "select area, service from areas_slot where order_id = ? and ended_at is null",
        Slots::key,
        orderId);
  }

  /// The orders that wait there, with when the life of each ends.
  public static Map<String, Instant> holders(Session session, AreaService where)
      throws SQLException {
    var holders = new HashMap<String, Instant>();
    session.list(
        """
        select order_id, expires_at from areas_slot
         where area = ? and service = ? and ended_at is null
        """,
        row -> holders.put(row.getString(1), Instant.ofEpochMilli(row.getLong(2))),
        where.area(),
        where.service());
    return holders;
  }

  /// Counts anew what is counted. Nobody may take or give back meanwhile, or their changes are
  /// waited for: the counts are locked first.
  public static void rebuild(Session session) throws SQLException {
    session.list(
        "select area from areas_load order by area, service for update", row -> row.getString(1));
    session.update(REBUILD);
  }

  /// The counts that are not the number of slots; there should be none.
  public static List<AreaService> wrong(Session session) throws SQLException {
    return session.list(WRONG, Slots::key);
  }

  /// Forgets slots that were given back before. Returns how many.
  public static int forget(Session session, Instant before, int limit) throws SQLException {
    return session.update(
        """
        delete from areas_slot where order_id in (
          select order_id from areas_slot where ended_at < ? limit ?)
        """,
        before,
        limit);
  }
}
