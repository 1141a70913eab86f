package dev.tuntas.payment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.money.Money;
import dev.tuntas.payment.Payments.Charge;
import dev.tuntas.payment.Payments.Receipt;
import dev.tuntas.payment.Payments.Refund;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.store.Tables;
import java.time.Instant;
import java.time.InstantSource;

/// A cashier with a scripted bank, and words to tell stories about them.
final class Till implements AutoCloseable {

  static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");
  static final Money PRICE = idr(100);

  final Tables tables;
  final ScriptedBank bank = new ScriptedBank();
  final Cashier cashier;
  final Books books;

  Till(Tables tables) {
    this.tables = tables;
    this.cashier = new Cashier(tables, bank, InstantSource.fixed(NOW));
    this.books = new Books(tables);
  }

  Till() {
    this(Tables.inMemory(Cashier.TABLES));
  }

  static Money idr(long amount) {
    return new Money(amount, "IDR");
  }

  Outcome<Receipt> charge(String order) {
    return charge(order, "pm_ok", PRICE, "charge-" + order);
  }

  Outcome<Receipt> charge(String order, String method, Money amount, String key) {
    return cashier.charge(new Charge(order, method, amount), key);
  }

  Outcome<Receipt> refund(String order) {
    return cashier.refund(new Refund(order, PRICE, true), "refund-" + order);
  }

  Outcome<Receipt> refundPart(String order, int number, long amount) {
    return cashier.refund(new Refund(order, idr(amount), false), "refund-" + order + "-" + number);
  }

  Ledger ledger(String order) {
    return books.of(order).orElseThrow();
  }

  /// What the bank has, and what our books say, is this much.
  void keeps(String order, long amount) {
    var ledger = ledger(order);
    assertThat(bank.kept(order)).as("kept at the bank").isEqualTo(amount);
    assertThat(ledger.captured().amount() - ledger.refunded().amount())
        .as("kept in the books")
        .isEqualTo(amount);
    assertThat(books.violations()).isEmpty();
  }

  static String code(Outcome<Receipt> outcome) {
    return switch (outcome) {
      case Outcome.Succeeded<Receipt>(var receipt) ->
          receipt.status() + " " + receipt.amount().amount();
      case Outcome.Failed<Receipt>(Failure.Declined declined) -> declined.code();
      case Outcome.Failed<Receipt>(var failure) -> "failed " + failure.code();
      case Outcome.Unclear<Receipt> _ -> "unclear";
    };
  }

  @Override
  public void close() {
    tables.close();
  }
}
