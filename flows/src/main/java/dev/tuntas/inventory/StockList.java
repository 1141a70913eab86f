package dev.tuntas.inventory;

import dev.tuntas.inventory.Goods.Lines;
import dev.tuntas.inventory.Goods.Stay;
import dev.tuntas.money.Money;
import dev.tuntas.saga.Outcome;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What our own inventory has, and for how much.
public final class StockList implements Catalogue {

  public static final long STOCK_MAX = 1_000_000_000;

  private static final String PUT =
      """
      insert into catalogue (kind, id, stock, price, currency) values (?, ?, ?, ?, ?)
      on conflict (kind, id) do update
         set stock = excluded.stock, price = excluded.price, currency = excluded.currency
      """;

  private static final String PUT_SHELF =
      """
      insert into shelf (id, night, stock, available) values (?, '', ?, ?)
      on conflict (id, night) do update
         set stock = excluded.stock, available = excluded.stock - shelf.held - shelf.committed
       where excluded.stock >= shelf.held + shelf.committed
      """;

  private static final String LOCK_NIGHTS =
      """
      select night, held + committed from shelf where id = ? and night >= ?
       order by night for update
      """;

  private static final String PUT_NIGHTS =
      """
      update shelf set stock = ?, available = ? - held - committed where id = ? and night >= ?
      """;

  private static final String PRICES =
      "select id, price, currency from catalogue where kind = ? and id = any (?)";

  private static final String VIEW =
      """
      select c.price, c.currency, coalesce(s.stock, c.stock), coalesce(s.available, c.stock),
             coalesce(s.held, 0), coalesce(s.committed, 0)
        from catalogue c left join shelf s on s.id = c.id and s.night = ?
       where c.kind = ? and c.id = ?
      """;

  private final Tables tables;
  private final InstantSource clock;
  private final StockSettings settings;

  public StockList(Tables tables, InstantSource clock, StockSettings settings) {
    this.tables = tables;
    this.clock = clock;
    this.settings = settings;
  }

  /// Makes an item or changes it. Less stock than is held and sold is declined as `stock_in_use`.
  public Outcome<StockView> putItem(String sku, long stock, Money price) {
    return Answering.outcome(
        () -> {
          require(sku, stock);
          return tables.write(
              "put item " + sku,
              session -> {
                put(session, "item", sku, stock, price);
                if (session.update(PUT_SHELF, sku, stock, stock) == 0) throw inUse(sku, stock);
                return view(session, "item", sku, null).orElseThrow();
              });
        });
  }

  /// Makes a room or changes how many there are from tonight on. Fewer than are held and sold on
  /// some night are declined as `stock_in_use`.
  public Outcome<StockView> putRoom(String roomId, long count, Money price) {
    return Answering.outcome(
        () -> {
          require(roomId, count);
          return tables.write(
              "put room " + roomId, session -> putRoom(session, roomId, count, price));
        });
  }

  private StockView putRoom(Session session, String roomId, long count, Money price)
      throws SQLException {
    var tonight = today();
    put(session, "room", roomId, count, price); // locks it: no night is made meanwhile
    for (var night : session.list(LOCK_NIGHTS, Used::read, roomId, tonight.toString())) {
      if (night.used > count) throw inUse(roomId + " on " + night.night, count);
    }
    session.update(PUT_NIGHTS, count, count, roomId, tonight.toString());
    return view(session, "room", roomId, tonight).orElseThrow();
  }

  private record Used(String night, long used) {
    static Used read(ResultSet row) throws SQLException {
      return new Used(row.getString(1), row.getLong(2));
    }
  }

  private static void put(Session session, String kind, String id, long stock, Money price)
      throws SQLException {
    session.update(PUT, kind, id, stock, price.amount(), price.currency());
  }

  private static void require(String id, long stock) {
    Wanted.requireId("id_invalid", "thing in stock", id);
    if (stock < 0 || stock > STOCK_MAX) {
      throw new Refusal("out_of_range", "Stock is between 0 and " + STOCK_MAX + ".");
    }
  }

  private static Refusal inUse(String what, long stock) {
    return new Refusal(
        "stock_in_use", what + " cannot go down to " + stock + ": more are held or sold.");
  }

  /// An item; without one of that name, nothing.
  public Optional<StockView> item(String sku) {
    if (!Wanted.isId(sku)) return Optional.empty();
    return tables.read("look at item " + sku, session -> view(session, "item", sku, null));
  }

  /// A room on one night, or tonight.
  public Optional<StockView> room(String roomId, @Nullable LocalDate date) {
    if (!Wanted.isId(roomId)) return Optional.empty();
    var night = date == null ? today() : date;
    return tables.read("look at room " + roomId, session -> view(session, "room", roomId, night));
  }

  private LocalDate today() {
    return LocalDate.ofInstant(clock.instant(), settings.zone());
  }

  private static Optional<StockView> view(
      Session session, String kind, String id, @Nullable LocalDate date) throws SQLException {
    return session.first(
        VIEW,
        row ->
            new StockView(
                id,
                date,
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6),
                new Money(row.getLong(1), row.getString(2))),
        date == null ? "" : date.toString(),
        kind,
        id);
  }

  @Override
  public Outcome<Map<String, Money>> items(Collection<String> skus) {
    return prices("item", skus);
  }

  @Override
  public Outcome<Map<String, Money>> rooms(Collection<String> roomIds) {
    return prices("room", roomIds);
  }

  private Outcome<Map<String, Money>> prices(String kind, Collection<String> ids) {
    return Answering.outcome(
        () -> tables.read("look up prices", session -> prices(session, kind, ids)));
  }

  /// Today's prices of what is in the catalogue.
  static Map<String, Money> prices(Session session, Goods goods) throws SQLException {
    return switch (goods) {
      case Lines(var lines) ->
          prices(session, "item", lines.stream().map(Goods.Line::sku).toList());
      case Stay stay -> prices(session, "room", List.of(stay.roomId()));
    };
  }

  private static Map<String, Money> prices(Session session, String kind, Collection<String> ids)
      throws SQLException {
    var prices = new HashMap<String, Money>();
    var possible = ids.stream().filter(Wanted::isId).toList();
    if (possible.isEmpty()) return prices;
    session.list(
        PRICES,
        row -> prices.put(row.getString(1), new Money(row.getLong(2), row.getString(3))),
        kind,
        possible);
    return prices;
  }
}
