package dev.tuntas.inventory;

import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// Adds up the stock again from its parts.
public final class StockAudit {

  private static final int SENTENCES_MAX = 100;

  private static final String BELOW_ZERO =
      """
      select id, night from shelf
       where available < 0 or held < 0 or committed < 0 or available + held + committed <> stock
       order by id, night limit ?
      """;

  private static final String SUMS =
      """
      select s.id, s.night, s.held, coalesce(h.quantity, 0), s.committed, coalesce(t.quantity, 0)
        from shelf s
        left join (select id, night, sum(quantity) as quantity from reservation_holds
                    group by id, night) h on h.id = s.id and h.night = s.night
        left join (select id, night, sum(quantity) as quantity from taken
                    group by id, night) t on t.id = s.id and t.night = s.night
       where s.held <> coalesce(h.quantity, 0) or s.committed <> coalesce(t.quantity, 0)
       order by s.id, s.night limit ?
      """;

  private static final String WITHOUT_SHELF =
      """
      select p.booking_id, p.id, p.night
        from (select booking_id, id, night from reservation_holds
              union all select booking_id, id, night from taken) p
        left join shelf s on s.id = p.id and s.night = p.night
       where s.id is null
       order by p.booking_id limit ?
      """;

  private static final String AFTER_RELEASE =
      """
      select b.booking_id from bookings b
       where b.released_at is not null
         and (exists (select 1 from reservation_holds h where h.booking_id = b.booking_id)
              or exists (select 1 from taken t where t.booking_id = b.booking_id))
       order by b.booking_id limit ?
      """;

  private final Tables tables;

  public StockAudit(Tables tables) {
    this.tables = tables;
  }

  /// What is wrong, one sentence each, the first of every kind; nothing, if all is well.
  public List<String> violations() {
    return tables.read("audit the stock", StockAudit::violations);
  }

  private static List<String> violations(Session session) throws SQLException {
    var found = new ArrayList<String>();
    found.addAll(
        session.list(
            BELOW_ZERO,
            row -> "The parts of " + shelf(row) + " do not make up its stock.",
            SENTENCES_MAX));
    found.addAll(session.list(SUMS, StockAudit::difference, SENTENCES_MAX));
    found.addAll(
        session.list(
            WITHOUT_SHELF,
            row -> row.getString(1) + " has something that is not in stock at all.",
            SENTENCES_MAX));
    found.addAll(
        session.list(
            AFTER_RELEASE,
            row -> row.getString(1) + " was released and still has goods.",
            SENTENCES_MAX));
    return found;
  }

  private static Shelf shelf(ResultSet row) throws SQLException {
    return new Shelf(row.getString(1), row.getString(2));
  }

  private static String difference(ResultSet row) throws SQLException {
    return "%s: %d are held and orders hold %d; %d are sold and orders have taken %d."
        .formatted(shelf(row), row.getLong(3), row.getLong(4), row.getLong(5), row.getLong(6));
  }
}
