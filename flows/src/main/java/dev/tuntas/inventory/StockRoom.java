package dev.tuntas.inventory;

import dev.tuntas.saga.Outcome;
import dev.tuntas.store.Session;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;

/// Our own inventory. An order's goods are one thing: whoever reserves, keeps, confirms or commits
/// names all of them, so that doing it twice, even under two keys, holds or takes them once.
///
/// Every answer is remembered under its key: what was done, in the same transaction, and what was
/// declined. A request that arrives late, when its order has long turned back, so does no harm.
public final class StockRoom implements Inventory {

  public static final TableSet TABLES = TableSet.of("inventory").inTurn();

  @FunctionalInterface
  private interface Service<T> {
    T at(Counter counter) throws SQLException;
  }

  private final Tables tables;
  private final InstantSource clock;
  private final StockSettings settings;

  public StockRoom(Tables tables, InstantSource clock, StockSettings settings) {
    this.tables = tables;
    this.clock = clock;
    this.settings = settings;
  }

  @Override
  public Outcome<Reservation> reserve(Request request, String key) {
    return Answering.outcome(
        () -> {
          var question = Question.of("reserve", request, key);
          var now = clock.instant();
          var until = now.plus(settings.holdTtl());
          return serve(
              question,
              now,
              counter ->
                  counter.hold(question, request, until, () -> requireAhead(request.goods(), now)));
        });
  }

  /// A night that has begun since it was reserved can still be kept, confirmed and paid.
  private void requireAhead(Goods goods, Instant now) {
    if (goods instanceof Goods.Stay stay
        && stay.checkIn().isBefore(LocalDate.ofInstant(now, settings.zone()))) {
      throw new Refusal("time_invalid", "The night of " + stay.checkIn() + " is over.");
    }
  }

  @Override
  public Outcome<Reservation> keep(Request request, String key) {
    return Answering.outcome(
        () -> {
          var question = Question.of("keep", request, key);
          return serve(
              question,
              clock.instant(),
              counter -> counter.hold(question, request, null, () -> {}));
        });
  }

  @Override
  public Outcome<Movement> confirm(Request request, String key) {
    return take("confirm", request, key, "confirmed");
  }

  @Override
  public Outcome<Movement> commit(Request request, String key) {
    return take("commit", request, key, "committed");
  }

  private Outcome<Movement> take(String operation, Request request, String key, String result) {
    return Answering.outcome(
        () -> {
          var question = Question.of(operation, request, key);
          return serve(
              question, clock.instant(), counter -> counter.take(question, request, result));
        });
  }

  @Override
  public Outcome<Movement> release(String orderId, String key) {
    return Answering.outcome(
        () -> {
          var question = Question.release(orderId, key);
          return serve(question, clock.instant(), counter -> counter.release(question));
        });
  }

  /// Gives back what is held for an order that nobody went on with in time, and refuses it anything
  /// from then on; `kept` if money may have moved for it since.
  public Outcome<Movement> timeOut(String orderId, String key) {
    return Answering.outcome(
        () -> {
          var question = Question.release(orderId, key);
          return serve(question, clock.instant(), counter -> counter.timeOut(question));
        });
  }

  /// What an order holds or, if nothing, has taken: for those who confirm without naming it.
  /// Declined as `released`, `nothing_held`, or `goods_mixed` when it is not one order's goods.
  public Outcome<Goods> goodsOf(String orderId) {
    return Answering.outcome(
        () -> {
          Wanted.requireKey("order_id", orderId);
          return tables.read("look at " + orderId, session -> new Bookings(session).goods(orderId));
        });
  }

  private <T> T serve(Question question, Instant now, Service<T> service) {
    try {
      return transact(question, now, service);
    } catch (Refusal refusal) {
      if (refusal.staysByItself() || remember(question, refusal, now)) throw refusal;
      return transact(question, now, service); // the same request was served meanwhile
    }
  }

  private <T> T transact(Question question, Instant now, Service<T> service) {
    return tables.write(question.toString(), session -> service.at(new Counter(session, now)));
  }

  private boolean remember(Question question, Refusal refusal, Instant now) {
    return tables.write(
        "refuse to " + question, session -> new Counter(session, now).refuse(question, refusal));
  }

  /// Gives back what was held until now at the latest, of so many orders at most. Returns of how
  /// many.
  public int expire(Instant now, int limit) {
    int expired = 0;
    for (var order :
        tables.read("find expired holds", rows -> Bookings.expired(rows, now, limit))) {
      if (tables.write("expire " + order, session -> expire(session, order, now))) expired++;
    }
    return expired;
  }

  private static boolean expire(Session session, String order, Instant now) throws SQLException {
    return new Counter(session, now).expire(order);
  }
}
