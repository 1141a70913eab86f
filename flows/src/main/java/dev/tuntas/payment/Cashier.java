package dev.tuntas.payment;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.engine.Trouble;
import dev.tuntas.money.Money;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.store.Session;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Our payment service, in front of a bank. It notes what it will ask before it asks, and the
/// answer once that is certain; until then the same key asks the bank again. An order is charged at
/// most once, and once it is refunded as a whole, never.
public final class Cashier implements Payments {

  private static final Logger log = LoggerFactory.getLogger(Cashier.class);

  public static final TableSet TABLES = TableSet.of("payment");

  private final Tables tables;
  private final Payments bank;
  private final Charges charges;
  private final Refunds refunds;
  private final Trouble trouble = new Trouble(log, "Noting a charge or a refund");

  public Cashier(Tables tables, Payments bank, InstantSource clock) {
    this.tables = tables;
    this.bank = bank;
    var rows = new Rows(clock);
    this.charges = new Charges(rows);
    this.refunds = new Refunds(rows, charges);
  }

  @Override
  public Outcome<Receipt> charge(Charge charge, String key) {
    var wanted = Entry.of(charge, key);
    return noted(() -> tables.write("note a charge", s -> charges.claim(s, wanted)));
  }

  @Override
  public Outcome<Receipt> refund(Refund refund, String key) {
    if (!refund.whole() && refund.amount().amount() == 0) {
      return Outcome.declined("amount_invalid", "A refund of nothing is no refund.");
    }
    var wanted = Entry.of(refund, key);
    return noted(() -> tables.write("note a refund", s -> refunds.claim(s, wanted)));
  }

  /// Claims, and asks the bank if the claim says so. Nothing was sent when the claim fails.
  private Outcome<Receipt> noted(Supplier<Claim> claim) {
    try {
      var claimed = claim.get();
      trouble.worked();
      return switch (claimed) {
        case Claim.Answered(var answer) -> answer;
        case Claim.Ask(var entry) -> ask(entry);
        case Claim.Settle(var doubts) -> {
          doubts.forEach(this::ask);
          yield afterSettling(claim.get());
        }
      };
    } catch (StoreException e) {
      if (e.kind() == Kind.BAD_DATA) throw e;
      trouble.failed(e);
      return Outcome.unavailableHere(
          "payment_unavailable", "The payment records cannot be reached. Nothing was done.");
    }
  }

  private Outcome<Receipt> afterSettling(Claim claim) {
    return switch (claim) {
      case Claim.Answered(var answer) -> answer;
      case Claim.Ask(var entry) -> ask(entry);
      case Claim.Settle _ -> Outcome.unclear("another refund of this order is in doubt");
    };
  }

  private Outcome<Receipt> ask(Entry entry) {
    Outcome<Receipt> answer;
    try {
      answer = fitting(entry, send(entry));
    } catch (RuntimeException e) {
      return Outcome.unclear("the bank: " + e);
    }
    if (!isCertain(answer)) return answer;
    try {
      return tables.write("record the bank's answer", s -> settle(s, entry, answer));
    } catch (StoreException e) {
      return Outcome.unclearHere("the bank's answer could not be recorded: " + e.getMessage());
    }
  }

  private Outcome<Receipt> send(Entry entry) {
    return switch (entry.operation()) {
      case CHARGE -> {
        var method = entry.method() == null ? "" : entry.method();
        yield bank.charge(new Charge(entry.orderId(), method, entry.amount()), entry.key());
      }
      case REFUND ->
          bank.refund(new Refund(entry.orderId(), entry.amount(), entry.whole()), entry.key());
    };
  }

  /// An answer about another amount is none.
  private static Outcome<Receipt> fitting(Entry entry, Outcome<Receipt> answer) {
    if (answer instanceof Outcome.Succeeded<Receipt>(var receipt)
        && !fits(entry, receipt.amount())) {
      return Outcome.unclear("the bank answered with another amount, " + receipt.amount().text());
    }
    return answer;
  }

  /// What a whole refund gives back, the bank knows best; it is compared with our books later.
  private static boolean fits(Entry entry, Money amount) {
    return entry.whole()
        ? amount.currency().equals(entry.amount().currency())
        : amount.equals(entry.amount());
  }

  /// Only what happened, and what never will under this key, is worth recording.
  private static boolean isCertain(Outcome<Receipt> answer) {
    return switch (answer) {
      case Outcome.Succeeded<Receipt> _ -> true;
      case Outcome.Failed<Receipt>(var failure) -> failure instanceof Failure.Declined;
      case Outcome.Unclear<Receipt> _ -> false;
    };
  }

  private Outcome<Receipt> settle(Session session, Entry entry, Outcome<Receipt> answer)
      throws SQLException {
    return switch (entry.operation()) {
      case CHARGE -> charges.settle(session, entry, answer);
      case REFUND -> refunds.settle(session, entry, answer);
    };
  }
}
