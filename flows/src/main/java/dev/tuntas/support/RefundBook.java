package dev.tuntas.support;

import dev.tuntas.money.Money;
import dev.tuntas.store.Session;
import dev.tuntas.support.Bills.Bill;
import dev.tuntas.support.Refund.Status;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Refunds and their budget in the tables. All methods run in the caller's transaction.
///
/// A refund claims its amount before it is sent and gives the claim back only when it certainly
/// failed, so that what was claimed never exceeds what was paid.
public final class RefundBook {

  private static final String SELECT =
      """
      select id, order_id, ticket_no, amount, currency, whole, status, requested_at, returned, error
        from support_refund
      """;

  private static final String MAKE_BUDGET =
      """
      insert into support_budget (order_id, currency, captured, claimed) values (?, ?, ?, 0)
      on conflict (order_id) do nothing
      """;

  private static final String RAISE_BUDGET =
      "update support_budget set captured = ? where order_id = ? and captured < ?";

  private static final String LOCK_BUDGET =
      "select claimed from support_budget where order_id = ? for update";

  private static final String CLAIM =
      "update support_budget set claimed = claimed + ? where order_id = ?";

  private static final String ADD =
      """
      insert into support_refund
        (id, order_id, ticket_no, amount, currency, whole, status, actor, click, fingerprint,
         requested_at)
      values (?, ?, ?, ?, ?, ?, 'requested', ?, ?, ?, ?) on conflict (actor, click) do nothing
      """;

  private static final String STARTED =
      "update support_refund set status = 'started' where id = ? and status = 'requested'";

  private static final String HELD =
      """
      update support_refund set status = 'held', error = ?
       where id = ? and status in ('requested', 'started')
      """;

  private static final String DONE =
      """
      update support_refund set status = 'done', settled_at = ?, returned = ?, error = null
       where id = ? and status not in ('done', 'refused')
      """;

  private static final String REFUSED =
      """
      update support_refund set status = 'refused', settled_at = ?, error = ?
       where id = ? and status not in ('done', 'refused')
      """;

  /// What a person may still give back, for the caller alone until the transaction ends.
  long remaining(Session session, String orderId, Bill bill) throws SQLException {
    var captured = bill.captured();
    session.update(MAKE_BUDGET, orderId, captured.currency(), captured.amount());
    session.update(RAISE_BUDGET, captured.amount(), orderId, captured.amount());
    long claimed = session.first(LOCK_BUDGET, row -> row.getLong(1), orderId).orElseThrow();
    return Math.max(0, captured.amount() - bill.returned().amount() - claimed);
  }

  /// What was paid for an order of which something was claimed.
  Money captured(Session session, String orderId) throws SQLException {
    return session
        .first(
            "select captured, currency from support_budget where order_id = ?",
            row -> new Money(row.getLong(1), row.getString(2)),
            orderId)
        .orElseThrow();
  }

  /// Claims the amount and writes the refund down. False if this click is taken.
  boolean add(Session session, Refund refund, String actor, String click, String fingerprint)
      throws SQLException {
    session.update(CLAIM, refund.amount().amount(), refund.orderId());
    return session.update(
            ADD,
            refund.id(),
            refund.orderId(),
            refund.ticketNo(),
            refund.amount().amount(),
            refund.amount().currency(),
            refund.whole(),
            actor,
            click,
            fingerprint,
            refund.requestedAt())
        == 1;
  }

  /// A refund and what its click asked for.
  record Clicked(Refund refund, String fingerprint) {}

  Optional<Clicked> clicked(Session session, String actor, String click) throws SQLException {
    return session.first(
        SELECT.replace(" error", " error, fingerprint") + " where actor = ? and click = ?",
        row -> new Clicked(read(row), row.getString(11)),
        actor,
        click);
  }

  public Optional<Refund> find(Session session, String id) throws SQLException {
    return session.first(SELECT + " where id = ?", RefundBook::read, id);
  }

  /// All refunds of an order by people, oldest first.
  public List<Refund> of(Session session, String orderId) throws SQLException {
    return session.list(SELECT + " where order_id = ? order by no", RefundBook::read, orderId);
  }

  List<Refund> requested(Session session, int limit) throws SQLException {
    return session.list(
        SELECT + " where status = 'requested' order by no limit ?", RefundBook::read, limit);
  }

  /// Whether that is news.
  boolean started(Session session, String id) throws SQLException {
    return session.update(STARTED, id) == 1;
  }

  /// Whether that is news.
  boolean held(Session session, Refund refund, String error) throws SQLException {
    return session.update(HELD, error, refund.id()) == 1;
  }

  /// Whether that is news.
  boolean done(Session session, Refund refund, long returned, Instant now) throws SQLException {
    return session.update(DONE, now, returned, refund.id()) == 1;
  }

  /// Whether that is news. The amount can be claimed again.
  boolean refused(Session session, Refund refund, String error, Instant now) throws SQLException {
    if (session.update(REFUSED, now, error, refund.id()) == 0) return false;
    session.update(CLAIM, -refund.amount().amount(), refund.orderId());
    return true;
  }

  private static Refund read(ResultSet row) throws SQLException {
    var currency = row.getString(5);
    long returned = row.getLong(9);
    var money = row.wasNull() ? null : new Money(returned, currency);
    return new Refund(
        row.getString(1),
        row.getString(2),
        row.getLong(3),
        new Money(row.getLong(4), currency),
        row.getBoolean(6),
        Status.valueOf(row.getString(7).toUpperCase(Locale.ROOT)),
        Instant.ofEpochMilli(row.getLong(8)),
        money,
        row.getString(10));
  }
}
