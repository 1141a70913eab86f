package dev.tuntas.simulator;

import dev.tuntas.money.Money;
import dev.tuntas.payment.Payments;
import dev.tuntas.saga.Outcome;
import dev.tuntas.store.Session;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;

/// A bank with a ledger of its own. It charges and refunds once per key, and charges no order that
/// was refunded as a whole.
public final class SimulatedBank implements Payments {

  public static final TableSet TABLES = TableSet.of("bank");

  private static final Duration SLOW = Duration.ofSeconds(3);
  private static final int REFUSALS = 3;
  private static final String UNAVAILABLE = "503 Service Unavailable";

  /// Adds to an account, unless it is closed.
  private static final String CAPTURE =
      """
      insert into account (order_id, captured) values (?, ?)
      on conflict (order_id) do update set captured = account.captured + excluded.captured
       where not account.closed
      """;

  private static final String MAKE_ACCOUNT =
      "insert into account (order_id) values (?) on conflict do nothing";
  private static final String LOCK_ACCOUNT =
      "select captured, refunded from account where order_id = ? for update";
  private static final String GIVE_BACK =
      """
      update account set refunded = refunded + ?, closed = (closed or ?) where order_id = ?
      """;
  private static final String REFUSE =
      """
      insert into refusal (key, times) values (?, 1)
      on conflict (key) do update set times = refusal.times + 1
      """;

  /// @param anew whether it was done by this call and not by an earlier one
  private record Done(Receipt receipt, boolean anew) {}

  private record Account(long captured, long refunded) {
    static Account read(ResultSet row) throws SQLException {
      return new Account(row.getLong(1), row.getLong(2));
    }

    long left() {
      return captured - refunded;
    }
  }

  private final Tables tables;
  private final Effects effects;
  private final Weather weather;
  private final InstantSource clock;

  public SimulatedBank(Tables tables, Weather weather, InstantSource clock) {
    this.tables = tables;
    this.effects = new Effects(tables);
    this.weather = weather;
    this.clock = clock;
  }

  /// Whether a customer can pay that way.
  public static boolean knows(String method) {
    return PaymentMethod.named(method).filter(it -> it != PaymentMethod.OUTSIDE).isPresent();
  }

  @Override
  public Outcome<Receipt> charge(Charge charge, String key) {
    return weather.call(() -> chargeBy(charge, key));
  }

  private Outcome<Receipt> chargeBy(Charge charge, String key) {
    var method = PaymentMethod.named(charge.paymentMethod());
    if (method.isEmpty()) {
      return Outcome.declined(
          "payment_method_invalid", "There is no payment method '" + charge.paymentMethod() + "'.");
    }
    return switch (method.get()) {
      case PM_OK, OUTSIDE -> carriedOut(charge, key);
      case PM_DECLINED -> Outcome.declined("payment_declined", "The payment was declined.");
      case PM_SLOW -> {
        if (!isKnown(key)) weather.pause(SLOW);
        yield carriedOut(charge, key);
      }
      case PM_LOST_REPLY ->
          switch (charged(charge, key)) {
            case Outcome.Succeeded<Done>(var done) when done.anew() -> doubt("connection lost");
            case Outcome<Done> told -> told.map(Done::receipt);
          };
      case PM_UNAVAILABLE -> isTurnedAway(key) ? doubt(UNAVAILABLE) : carriedOut(charge, key);
      case PM_NEVER -> doubt(UNAVAILABLE);
    };
  }

  /// The method is to blame and not the bank, which is well: no breaker should open for others.
  private static Outcome<Receipt> doubt(String why) {
    return Outcome.pending(why);
  }

  private Outcome<Receipt> carriedOut(Charge charge, String key) {
    return charged(charge, key).map(Done::receipt);
  }

  private boolean isKnown(String key) {
    return tables.read("find a charge", s -> effects.find(s, "charge", key).isPresent());
  }

  private boolean isTurnedAway(String key) {
    return tables.write(
        "turn away",
        session -> {
          session.update(REFUSE, key);
          return session
              .first("select times from refusal where key = ?", row -> row.getInt(1), key)
              .map(times -> times <= REFUSALS)
              .orElseThrow();
        });
  }

  private Outcome<Done> charged(Charge charge, String key) {
    return tables.write("charge", session -> charged(session, charge, key));
  }

  private Outcome<Done> charged(Session session, Charge charge, String key) throws SQLException {
    var order = charge.orderId();
    var effect = effect("charge", key, order, charge.amount(), "charged");
    if (!effects.add(session, effect)) {
      var known = effects.find(session, "charge", key).orElseThrow();
      return isSame(known, effect) ? done(known, false) : reused(key);
    }
    if (session.update(CAPTURE, order, charge.amount().amount()) == 1) return done(effect, true);
    effects.remove(session, effect);
    return Outcome.declined("refunded", "The order was refunded before it was charged.");
  }

  private Effect effect(String operation, String key, String order, Money amount, String result) {
    return new Effect(clock.instant(), operation, key, order, amount, result, List.of());
  }

  private static boolean isSame(Effect known, Effect wanted) {
    return known.orderId().equals(wanted.orderId())
        && Objects.equals(known.amount(), wanted.amount());
  }

  private static <T> Outcome<T> reused(String key) {
    return Outcome.declined(
        "idempotency_key_reused", "The key '" + key + "' was used for another request.");
  }

  private static Outcome<Done> done(Effect effect, boolean anew) {
    var id = "bank-" + effect.operation() + "-" + effect.key();
    var amount = Objects.requireNonNull(effect.amount()); // the bank writes no other
    return Outcome.done(new Done(new Receipt(id, amount, effect.result()), anew));
  }

  @Override
  public Outcome<Receipt> refund(Refund refund, String key) {
    return weather.call(
        () -> tables.write("refund", session -> refunded(session, refund, key)).map(Done::receipt));
  }

  private Outcome<Done> refunded(Session session, Refund refund, String key) throws SQLException {
    var order = refund.orderId();
    session.update(MAKE_ACCOUNT, order);
    var account = session.first(LOCK_ACCOUNT, Account::read, order).orElseThrow();
    var amount =
        refund.whole() ? new Money(account.left(), refund.amount().currency()) : refund.amount();
    var effect = effect("refund", key, order, amount, "refunded");
    var known = effects.find(session, "refund", key);
    if (known.isPresent()) {
      boolean same =
          refund.whole() ? known.get().orderId().equals(order) : isSame(known.get(), effect);
      return same ? done(known.get(), false) : reused(key);
    }
    if (!refund.whole() && account.captured() == 0) {
      return Outcome.declined("nothing_to_refund", "Nothing was charged.");
    }
    if (amount.amount() > account.left()) {
      return Outcome.declined("refund_exceeds_captured", "No more than was charged is given back.");
    }
    return giveBack(session, refund.whole(), effect);
  }

  private Outcome<Done> giveBack(Session session, boolean whole, Effect effect)
      throws SQLException {
    long amount = Objects.requireNonNull(effect.amount()).amount();
    if (amount > 0 && !effects.add(session, effect)) return reused(effect.key());
    session.update(GIVE_BACK, amount, whole, effect.orderId());
    return done(effect, true);
  }
}
