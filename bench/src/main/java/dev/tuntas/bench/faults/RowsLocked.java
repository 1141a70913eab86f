package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Somebody else keeps locks on rows that the server wants to write, and takes more of them all the
/// time. On SQLite it is the lock of the whole database.
///
/// @param locks what takes them on PostgreSQL
/// @param endedShareMin of the orders that come in meanwhile; the others may be locked
record RowsLocked(
    String name,
    String what,
    Set<StoreKind> stores,
    List<String> locks,
    double endedShareMin,
    Holder holder)
    implements Fault {

  /// Who has the locks.
  private static final class Holder {
    private @Nullable Connection connection;
    private @Nullable Again locking;
    private double untold;
  }

  /// Of the orders that ended during the last seconds but five, and that nobody has locked: how
  /// many lists do not know of.
  private static final String UNTOLD =
      """
      select coalesce(avg(case when o.ended_at is null then 1.0 else 0.0 end), 0)
        from tuntas_saga s join orders_order o on o.id = s.id
       where s.ended_at between (extract(epoch from now()) * 1000)::int8 - 15000
                            and (extract(epoch from now()) * 1000)::int8 - 5000
         and right(o.customer_id, 1) not in ('3', '7')
      """;

  /// Everything that a fifth of the customers order, as soon as it is under way.
  private static final List<String> ORDERS =
      List.of(
          """
          select 1 from tuntas_saga s join orders_order o on o.id = s.id
           where s.status in ('R', 'W') and right(o.customer_id, 1) in ('3', '7')
           order by s.created_at desc limit 100 for update of s skip locked
          """);

  /// One item of twenty, the money of a tenth of the customers, and what is told about them.
  private static final List<String> SERVICES =
      List.of(
          "select 1 from inventory.shelf where id = 'SKU-3' and night = '' for update",
          """
          select 1 from payment.purse p join orders_order o on o.id = p.order_id
           where o.ended_at is null and right(o.customer_id, 1) = '7'
           for update of p skip locked
          """,
          """
          select 1 from tuntas_outbox n join orders_order o on o.id = n.saga_id
           where right(o.customer_id, 1) = '7' for update of n skip locked
          """);

  private static final List<String> BEAT =
      List.of("select 1 from tuntas_node where not dead for update");

  /// Nine of ten that nobody has locked.
  private static final double OF_FREE = 0.9;

  private static final Duration EVERY = Duration.ofMillis(100);
  private static final double REFUSED_SHARE_MAX = 0.1;

  static List<Fault> all() {
    return List.of(
        new RowsLocked(
            "rows-locked",
            "somebody else keeps locks on what the server wants to write",
            EnumSet.allOf(StoreKind.class),
            ORDERS,
            0.8 * OF_FREE,
            new Holder()),
        onPostgres(
            "service-rows-locked",
            "somebody else keeps locks on stock, payments and notices",
            SERVICES,
            0.85 * OF_FREE),
        onPostgres("beat-locked", "somebody else keeps a lock on the server's beat", BEAT, 0));
  }

  private static RowsLocked onPostgres(
      String name, String what, List<String> locks, double endedShareMin) {
    return new RowsLocked(
        name, what, Set.of(StoreKind.POSTGRES), locks, endedShareMin, new Holder());
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(20);
  }

  @Override
  public double endedShareMin(StoreKind store) {
    return store == StoreKind.SQLITE ? 0 : endedShareMin;
  }

  @Override
  public void inject(Rig rig) throws SQLException {
    boolean sqlite = rig.store() == StoreKind.SQLITE;
    var url = sqlite ? "jdbc:sqlite:" + rig.data().resolve("orders/tuntas.db") : rig.database();
    var connection = DriverManager.getConnection(url);
    holder.connection = connection;
    if (sqlite) {
      try (var statement = connection.createStatement()) {
        statement.execute("pragma busy_timeout = 10000");
        statement.execute("begin immediate");
      }
      return;
    }
    connection.setAutoCommit(false);
    holder.locking = Again.start(EVERY, () -> lockMore(connection));
  }

  private void lockMore(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      for (var lock : locks) statement.execute(lock);
    }
  }

  @Override
  public List<String> check(Rig rig, Sightings during) {
    if (endedShareMin(rig.store()) == 0) return List.of();
    var wrong = new ArrayList<String>();
    if (during.refusedShare() > REFUSED_SHARE_MAX) {
      wrong.add("Orders that nobody had locked were held up too.");
    }
    if (holder.untold > 1 - OF_FREE) {
      wrong.add("Lists did not know of %.0f %% of what had ended.".formatted(100 * holder.untold));
    }
    return wrong;
  }

  @Override
  public void heal(Rig rig) throws SQLException, InterruptedException {
    if (endedShareMin(rig.store()) > 0) {
      holder.untold = Double.parseDouble(Sql.ask(rig.database(), UNTOLD));
    }
    if (holder.locking != null) holder.locking.stop();
    if (holder.connection != null) holder.connection.close();
  }
}
