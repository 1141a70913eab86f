package dev.tuntas.areas;

import dev.tuntas.audit.AuditEntry;
import dev.tuntas.store.Session;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Areas, their rules, what people decided about them, and the flags. Every change is audited in
/// its own transaction, and known to every process within a second.
public final class AreaBook {

  public static final TableSet TABLES = TableSet.of("areas");
  public static final int AREAS_MAX = 5_000;

  /// Who changes something: begins the entry about it in the audit log.
  @FunctionalInterface
  public interface Actor {
    AuditEntry did(String action, String subject);
  }

  /// Keeps what was done, in the transaction that did it.
  @FunctionalInterface
  public interface Trail {
    void append(Session session, AuditEntry entry) throws SQLException;
  }

  /// All of it at one moment.
  public record Snapshot(
      long version,
      SortedMap<String, Area> areas,
      Places places,
      Map<AreaService, AreaRules> rules,
      Map<AreaService, AreaOverride> overrides,
      Flags flags) {

    public AreaRules rules(String area, String service) {
      return rules.getOrDefault(new AreaService(area, service), AreaRules.defaults());
    }

    /// Also one that has ended: the clock tells.
    public @Nullable AreaOverride override(String area, String service) {
      return overrides.get(new AreaService(area, service));
    }
  }

  /// Thrown by a change that makes no sense here.
  public static final class TooManyAreas extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooManyAreas() {
      super("There are " + AREAS_MAX + " areas; delete some first.");
    }
  }

  private static final long AGE_MAX = Duration.ofMillis(500).toNanos();

  private final Tables tables;
  private final Trail trail;
  private final ReentrantLock reading = new ReentrantLock();
  private volatile @Nullable Snapshot snapshot;
  private volatile long readAt;

  public AreaBook(Tables tables, Trail trail) {
    this.tables = tables;
    this.trail = trail;
  }

  // Reading

  /// What holds now; at most half a second old.
  public Snapshot current() {
    var known = snapshot;
    if (known != null && System.nanoTime() - readAt < AGE_MAX) return known;
    reading.lock();
    try {
      known = snapshot;
      return known != null && System.nanoTime() - readAt < AGE_MAX ? known : refresh(known);
    } finally {
      reading.unlock();
    }
  }

  private Snapshot refresh(@Nullable Snapshot known) {
    long before = System.nanoTime();
    var read =
        tables.read(
            "read the areas",
            session -> {
              // The version first: what is read after it is at least as new.
              long version = version(session);
              return known != null && known.version == version ? known : read(session, version);
            });
    snapshot = read;
    readAt = before;
    return read;
  }

  private static long version(Session session) throws SQLException {
    return session
        .first("select version from areas_version where id = 1", row -> row.getLong(1))
        .orElse(0L);
  }

  private static Snapshot read(Session session, long version) throws SQLException {
    var areas = new TreeMap<String, Area>();
    for (var area : session.list(AREAS, AreaBook::area)) areas.put(area.id(), area);
    var rules = new TreeMap<AreaService, AreaRules>();
    session.list(
        "select area, service, rules from areas_rules",
        row -> rules.put(key(row), AreaJson.rules(row.getString(3))));
    var overrides = new TreeMap<AreaService, AreaOverride>();
    session.list(
        "select area, service, status, reason, expires_at from areas_override",
        row -> overrides.put(key(row), override(row)));
    return new Snapshot(
        version, areas, new Places(areas.values()), rules, overrides, readFlags(session));
  }

  private static final String AREAS =
      "select id, name, geofence, geohash, services, priority, enabled from areas_area";

  private static Area area(ResultSet row) throws SQLException {
    var fence = row.getString(3);
    return new Area(
        row.getString(1),
        row.getString(2),
        fence == null ? null : AreaJson.geofence(fence),
        AreaJson.texts(row.getString(4)),
        new TreeSet<>(AreaJson.texts(row.getString(5))),
        row.getInt(6),
        row.getInt(7) == 1);
  }

  private static AreaService key(ResultSet row) throws SQLException {
    return new AreaService(row.getString(1), row.getString(2));
  }

  private static AreaOverride override(ResultSet row) throws SQLException {
    return new AreaOverride(
        AreaOverride.Status.valueOf(row.getString(3)), row.getString(4), Session.time(row, 5));
  }

  private static Flags readFlags(Session session) throws SQLException {
    return session
        .first("select value from areas_flag where name = 'flags'", row -> row.getString(1))
        .map(AreaJson::flags)
        .orElse(Flags.defaults());
  }

  // Areas

  /// Makes an area, or changes it. True if it is new.
  public boolean put(Area area, Actor by) {
    return change(
        "put area " + area.id(),
        session -> {
          var before = find(session, area.id());
          if (before.isEmpty() && count(session) >= AREAS_MAX) throw new TooManyAreas();
          write(session, area);
          trail.append(
              session,
              by.did(before.isEmpty() ? "area.created" : "area.changed", area.id())
                  .changing(before.map(AreaJson::summary).orElse(null), AreaJson.summary(area)));
          return before.isEmpty();
        });
  }

  /// Makes areas where there is none at all. For a first start.
  public void open(Collection<Area> areas) {
    change(
        "open the first areas",
        session -> {
          if (count(session) > 0) return false;
          for (var area : areas) {
            write(session, area);
            trail.append(
                session,
                AuditEntry.byProgram("area.created", area.id())
                    .changing(null, AreaJson.summary(area)));
          }
          return true;
        });
  }

  private static void write(Session session, Area area) throws SQLException {
    var fence = area.geofence();
    session.update(
        """
        insert into areas_area (id, name, geofence, geohash, services, priority, enabled)
        values (?, ?, ?, ?, ?, ?, ?)
        on conflict (id) do update set name = excluded.name, geofence = excluded.geofence,
          geohash = excluded.geohash, services = excluded.services, priority = excluded.priority,
          enabled = excluded.enabled
        """,
        area.id(),
        area.name(),
        fence == null ? null : AreaJson.text(fence.shown()),
        AreaJson.text(area.geohash()),
        AreaJson.text(area.services()),
        area.priority(),
        area.enabled() ? 1 : 0);
  }

  private static long count(Session session) throws SQLException {
    return session.first("select count(*) from areas_area", row -> row.getLong(1)).orElse(0L);
  }

  private static Optional<Area> find(Session session, String id) throws SQLException {
    return session.first(AREAS + " where id = ?", AreaBook::area, id);
  }

  /// Removes an area with its rules. Orders that wait there go on. False if there is none.
  public boolean delete(String id, Actor by) {
    return change(
        "delete area " + id,
        session -> {
          var before = find(session, id);
          if (before.isEmpty()) return false;
          session.update("delete from areas_area where id = ?", id);
          session.update("delete from areas_rules where area = ?", id);
          session.update("delete from areas_override where area = ?", id);
          trail.append(
              session, by.did("area.deleted", id).changing(AreaJson.summary(before.get()), null));
          return true;
        });
  }

  // Rules

  /// Changes what holds for a service in an area; what the change throws leaves it as it is.
  /// Nothing if there is no such area or service.
  public Optional<AreaRules> change(
      String id, String service, UnaryOperator<AreaRules> change, Actor by) {
    return change(
        "change the rules of area " + id,
        session -> {
          var area = find(session, id);
          if (area.isEmpty() || !area.get().services().contains(service)) return Optional.empty();
          var before = rules(session, id, service);
          var after = change.apply(before);
          session.update(
              """
              insert into areas_rules (area, service, rules) values (?, ?, ?)
              on conflict (area, service) do update set rules = excluded.rules
              """,
              id,
              service,
              AreaJson.text(after));
          // A new threshold was never reached: nobody has to cool down from the old one.
          session.update(
              """
              update areas_load set threshold = ?, reached_at = null
               where area = ? and service = ?
              """,
              after.maxWaitingOrders(),
              id,
              service);
          trail.append(
              session,
              by.did("area.rules.changed", id + " " + service)
                  .changing(AreaJson.text(before), AreaJson.text(after)));
          return Optional.of(after);
        });
  }

  private static AreaRules rules(Session session, String area, String service) throws SQLException {
    return session
        .first(
            "select rules from areas_rules where area = ? and service = ?",
            row -> AreaJson.rules(row.getString(1)),
            area,
            service)
        .orElse(AreaRules.defaults());
  }

  // Overrides

  /// Forces these services of an area, or with null ends that. False if there is no such area, or
  /// if it lacks one of them; no services at all means every one that it has.
  public boolean override(
      String id, Collection<String> services, @Nullable AreaOverride wanted, Actor by) {
    return change(
        "override area " + id,
        session -> {
          var area = find(session, id);
          if (area.isEmpty() || !area.get().services().containsAll(services)) return false;
          var concerned = services.isEmpty() ? area.get().services() : services;
          var before = new ArrayList<String>();
          for (var service : concerned) {
            override(session, id, service)
                .map(AreaOverride::status)
                .map(Enum::name)
                .ifPresent(before::add);
            replace(session, id, service, wanted);
          }
          trail.append(session, entry(id, concerned, before, wanted, by));
          return true;
        });
  }

  private static AuditEntry entry(
      String id,
      Collection<String> services,
      List<String> before,
      @Nullable AreaOverride wanted,
      Actor by) {
    var was = before.isEmpty() ? "AUTO" : String.join(",", before);
    var subject = id + " " + String.join(",", services);
    if (wanted == null) return by.did("area.override", subject).changing(was, "AUTO");
    var until = wanted.expiresAt() == null ? "" : " until " + wanted.expiresAt();
    return by.did("area.override", subject)
        .changing(was, wanted.status() + until)
        .because(wanted.reason());
  }

  private static Optional<AreaOverride> override(Session session, String area, String service)
      throws SQLException {
    return session.first(
        """
        select area, service, status, reason, expires_at from areas_override
         where area = ? and service = ?
        """,
        AreaBook::override,
        area,
        service);
  }

  private static void replace(
      Session session, String area, String service, @Nullable AreaOverride wanted)
      throws SQLException {
    session.update("delete from areas_override where area = ? and service = ?", area, service);
    if (wanted == null) return;
    session.update(
        """
        insert into areas_override (area, service, status, reason, expires_at)
        values (?, ?, ?, ?, ?)
        """,
        area,
        service,
        wanted.status().name(),
        wanted.reason(),
        wanted.expiresAt());
  }

  // Flags

  /// Changes the flags as they are now. What the change throws leaves them as they are.
  public Flags changeFlags(UnaryOperator<Flags> change, Actor by) {
    return change(
        "change the flags",
        session -> {
          var before = readFlags(session);
          var after = change.apply(before);
          session.update(
              """
              insert into areas_flag (name, value) values ('flags', ?)
              on conflict (name) do update set value = excluded.value
              """,
              AreaJson.text(after));
          trail.append(
              session,
              by.did("flags.changed", "flags")
                  .changing(AreaJson.text(before), AreaJson.text(after)));
          return after;
        });
  }

  /// Changes take turns, by the row of the version; this process knows of its own at once.
  private <T> T change(String attempted, Tables.Work<T> work) {
    var result =
        tables.write(
            attempted,
            session -> {
              session.update("update areas_version set version = version + 1 where id = 1");
              return work.run(session);
            });
    reading.lock(); // whoever reads now may still have seen what was before
    try {
      snapshot = null;
    } finally {
      reading.unlock();
    }
    return result;
  }
}
