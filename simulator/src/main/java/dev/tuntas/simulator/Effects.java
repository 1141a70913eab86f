package dev.tuntas.simulator;

import dev.tuntas.money.Money;
import dev.tuntas.simulator.Effect.Unit;
import dev.tuntas.store.JacksonDataCodec;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A partner's ledger: every effect that it has carried out, once per operation and key, in the
/// order in which they were written.
public final class Effects {

  /// The goods of an effect, as they are stored.
  private record Stored(List<Unit> units) {}

  private record Numbered(long no, Effect effect) {}

  private static final int PAGE = 1_000;

  private static final String ADD =
      """
      insert into ledger (at, operation, key, order_id, amount, currency, result, goods)
      values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing
      """;
  private static final String SELECT =
      "select no, at, operation, key, order_id, amount, currency, result, goods from ledger";

  private final Tables tables;
  private final JacksonDataCodec codec = new JacksonDataCodec();

  /// The ledger in these tables: of the set [SimulatedBank#TABLES], [SimulatedWarehouse#TABLES] or
  /// [SimulatedDispatch#TABLES].
  public Effects(Tables tables) {
    this.tables = tables;
  }

  /// Adds an effect; false if there is one of its operation and key.
  boolean add(Session session, Effect effect) throws SQLException {
    var money = effect.amount();
    var goods =
        effect.units().isEmpty() ? null : codec.encode(new Stored(effect.units()), Stored.class);
    int added =
        session.update(
            ADD,
            effect.at(),
            effect.operation(),
            effect.key(),
            effect.orderId(),
            money == null ? 0L : money.amount(),
            money == null ? null : money.currency(),
            effect.result(),
            goods);
    return added == 1;
  }

  void remove(Session session, Effect effect) throws SQLException {
    session.update(
        "delete from ledger where operation = ? and key = ?", effect.operation(), effect.key());
  }

  Optional<Effect> find(Session session, String operation, String key) throws SQLException {
    return session
        .first(SELECT + " where operation = ? and key = ?", this::read, operation, key)
        .map(Numbered::effect);
  }

  /// Hands over all of them, in order.
  public void each(Consumer<Effect> taker) {
    long after = 0;
    while (true) {
      var page = page(after);
      page.forEach(line -> taker.accept(line.effect()));
      if (page.size() < PAGE) return;
      after = page.getLast().no();
    }
  }

  private List<Numbered> page(long after) {
    return tables.read(
        "read a ledger",
        session ->
            session.list(SELECT + " where no > ? order by no limit ?", this::read, after, PAGE));
  }

  private Numbered read(ResultSet row) throws SQLException {
    var currency = row.getString(7);
    var effect =
        new Effect(
            Instant.ofEpochMilli(row.getLong(2)),
            row.getString(3),
            row.getString(4),
            row.getString(5),
            currency == null ? null : new Money(row.getLong(6), currency),
            row.getString(8),
            units(row.getString(9)));
    return new Numbered(row.getLong(1), effect);
  }

  private List<Unit> units(@Nullable String goods) {
    return goods == null ? List.of() : codec.decode(goods, Stored.class).units();
  }
}
