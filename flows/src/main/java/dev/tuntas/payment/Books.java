package dev.tuntas.payment;

import dev.tuntas.money.Money;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Reads what the [Cashier] has written.
public final class Books {

  /// What was charged under a transaction id.
  public record Charged(String orderId, String transactionId, Money amount) {}

  /// How the money of one order stands.
  ///
  /// @param partlyRefunded what partial refunds have given back
  /// @param inDoubt whether the bank may have done something that is not known yet
  public record Balance(
      String orderId,
      Money captured,
      Money refunded,
      Money partlyRefunded,
      Money pending,
      boolean closed,
      boolean inDoubt) {}

  private static final int PAGE = 1_000;

  private static final String REQUESTS =
      """
      select operation, key, transaction_id, amount, currency, whole, status, code, attempts,
             created_at, answered_at
        from idempotency_store
       where order_id = ?
       order by created_at, operation, key
      """;
  private static final String LINE =
      "select no, at, order_id, operation, key, account, debit, credit, currency from journal";
  private static final String BALANCES =
      """
      select p.order_id, p.currency, p.captured, p.refunded, p.pending, p.closed,
             coalesce((select sum(i.amount) from idempotency_store i
                        where i.order_id = p.order_id and i.operation = 'refund'
                          and not i.whole and i.status = 'done'), 0),
             exists (select 1 from idempotency_store i
                      where i.order_id = p.order_id and i.status = 'sent')
        from purse p
       where p.order_id > ?
       order by p.order_id
       limit ?
      """;

  private final Tables tables;

  public Books(Tables tables) {
    this.tables = tables;
  }

  /// What there is about an order that was charged or refunded, or was to be.
  public Optional<Ledger> of(String orderId) {
    return tables.read("read the ledger of " + orderId, session -> ledger(session, orderId));
  }

  private static Optional<Ledger> ledger(Session session, String orderId) throws SQLException {
    var purse =
        session.first(
            "select " + Purse.COLUMNS + " from purse where order_id = ?", Purse::read, orderId);
    if (purse.isEmpty()) return Optional.empty();
    var journal = session.list(LINE + " where order_id = ? order by no", Books::line, orderId);
    var requests = session.list(REQUESTS, Books::request, orderId);
    return purse.map(
        found ->
            new Ledger(
                orderId,
                new Money(found.captured(), found.currency()),
                new Money(found.refunded(), found.currency()),
                new Money(found.pending(), found.currency()),
                found.closed(),
                requests,
                journal));
  }

  private static Ledger.Request request(ResultSet row) throws SQLException {
    return new Ledger.Request(
        row.getString(1),
        row.getString(2),
        row.getString(3),
        new Money(row.getLong(4), row.getString(5)),
        row.getBoolean(6),
        row.getString(7),
        row.getString(8),
        row.getLong(9),
        Instant.ofEpochMilli(row.getLong(10)),
        Session.time(row, 11));
  }

  private static Ledger.Line line(ResultSet row) throws SQLException {
    var currency = row.getString(9);
    return new Ledger.Line(
        Instant.ofEpochMilli(row.getLong(2)),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        new Money(row.getLong(7), currency),
        new Money(row.getLong(8), currency));
  }

  /// The charge that a refund by transaction id is about.
  public Optional<Charged> charged(String transactionId) {
    return tables.read(
        "find a charge",
        session ->
            session.first(
                """
                select order_id, transaction_id, amount, currency from idempotency_store
                 where transaction_id = ? and operation = 'charge' and status = 'done'
                """,
                row ->
                    new Charged(
                        row.getString(1),
                        row.getString(2),
                        new Money(row.getLong(3), row.getString(4))),
                transactionId));
  }

  /// Hands over every order's balance, sorted by order.
  public void eachBalance(Consumer<Balance> taker) {
    var after = "";
    while (true) {
      var from = after;
      var page =
          tables.read(
              "read balances", session -> session.list(BALANCES, Books::balance, from, PAGE));
      page.forEach(taker);
      if (page.size() < PAGE) return;
      after = page.getLast().orderId();
    }
  }

  private static Balance balance(ResultSet row) throws SQLException {
    var currency = row.getString(2);
    return new Balance(
        row.getString(1),
        new Money(row.getLong(3), currency),
        new Money(row.getLong(4), currency),
        new Money(row.getLong(7), currency),
        new Money(row.getLong(5), currency),
        row.getBoolean(6),
        row.getBoolean(8));
  }

  /// Hands over every line of the journal, in the order in which they were written.
  public void eachLine(Consumer<Ledger.Line> taker) {
    long last = 0;
    while (true) {
      long after = last;
      var numbers = new ArrayList<Long>();
      var page =
          tables.read(
              "read the journal",
              session ->
                  session.list(
                      LINE + " where no > ? order by no limit ?",
                      row -> {
                        numbers.add(row.getLong(1));
                        return line(row);
                      },
                      after,
                      PAGE));
      page.forEach(taker);
      if (page.size() < PAGE) return;
      last = numbers.getLast();
    }
  }

  /// What is wrong in these books by themselves, as sentences; nothing, if all is well.
  public List<String> violations() {
    return tables.read(
        "check the books",
        session -> {
          var found = new ArrayList<String>();
          for (var check : BookChecks.ALL) {
            found.addAll(session.list(check.query(), row -> check.sentence(row.getString(1))));
          }
          return found;
        });
  }
}
