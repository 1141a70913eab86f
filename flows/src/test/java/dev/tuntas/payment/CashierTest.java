package dev.tuntas.payment;

import static dev.tuntas.payment.Till.PRICE;
import static dev.tuntas.payment.Till.code;
import static dev.tuntas.payment.Till.idr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.money.Money;
import dev.tuntas.payment.Ledger.Line;
import dev.tuntas.payment.Payments.Receipt;
import dev.tuntas.payment.Payments.Refund;
import dev.tuntas.saga.Outcome;
import dev.tuntas.store.Tables;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Charges and refunds, one after the other.
class CashierTest {

  private final Till till = new Till();
  private final ScriptedBank bank = till.bank;

  @AfterEach
  void close() {
    till.close();
  }

  @Test
  void a_charge_is_in_the_ledger_with_both_sides() {
    assertThat(code(till.charge("o-1"))).isEqualTo("charged 100");

    var ledger = till.ledger("o-1");
    assertThat(ledger.captured()).isEqualTo(PRICE);
    assertThat(ledger.journal())
        .containsExactly(
            new Line(Till.NOW, "o-1", "charge", "charge-o-1", "bank", PRICE, idr(0)),
            new Line(Till.NOW, "o-1", "charge", "charge-o-1", "customer", idr(0), PRICE));
    till.keeps("o-1", 100);
  }

  @Test
  void a_repeated_key_gets_the_same_answer_and_the_bank_is_not_asked() {
    var first = till.charge("o-1");

    assertThat(till.charge("o-1")).isEqualTo(first);
    assertThat(bank.calls).containsExactly("charge charge-o-1");
  }

  @Test
  void a_decline_is_repeated_too() {
    assertThat(code(till.charge("o-1", "pm_declined", PRICE, "k"))).isEqualTo("payment_declined");
    assertThat(code(till.charge("o-1", "pm_declined", PRICE, "k"))).isEqualTo("payment_declined");

    assertThat(bank.calls).hasSize(1);
    till.keeps("o-1", 0);
  }

  @Test
  void after_a_decline_the_order_may_be_charged_under_another_key_and_at_another_price() {
    till.charge("o-1", "pm_declined", PRICE, "k-1");

    assertThat(code(till.charge("o-1", "pm_ok", idr(250), "k-2"))).isEqualTo("charged 250");
    till.keeps("o-1", 250);
  }

  @Test
  void a_lost_answer_is_asked_for_again_with_the_same_key() {
    bank.loseNextAnswer();

    assertThat(code(till.charge("o-1"))).isEqualTo("unclear");
    assertThat(till.ledger("o-1").captured()).isEqualTo(idr(0));
    assertThat(code(till.charge("o-1"))).isEqualTo("charged 100");

    assertThat(bank.captured("o-1")).isEqualTo(100);
    assertThat(till.ledger("o-1").requests().getFirst().attempts()).isEqualTo(2);
    till.keeps("o-1", 100);
  }

  @Test
  void a_bank_that_throws_leaves_doubt() {
    bank.beforeNext(CashierTest::fail);

    assertThat(code(till.charge("o-1"))).isEqualTo("unclear");
    assertThat(code(till.charge("o-1"))).isEqualTo("charged 100");
  }

  @Test
  void a_bank_that_cannot_be_reached_is_told_as_such_and_nothing_is_recorded() {
    bank.answerNext(_ -> Outcome.unavailable("unreachable", "connection refused"));

    assertThat(code(till.charge("o-1", "pm_declined", PRICE, "k"))).isEqualTo("failed unreachable");
    assertThat(code(till.charge("o-1", "pm_declined", PRICE, "k"))).isEqualTo("payment_declined");
  }

  @Test
  void an_answer_about_another_amount_is_no_answer() {
    bank.answerNext(_ -> Outcome.done(new Receipt("t", idr(99), "charged")));
    assertThat(code(till.charge("o-1"))).isEqualTo("unclear");

    bank.answerNext(_ -> Outcome.done(new Receipt("t", new Money(100, "USD"), "charged")));
    assertThat(code(till.charge("o-1"))).isEqualTo("unclear");
  }

  @Test
  void a_key_belongs_to_one_request() {
    till.charge("o-1", "pm_ok", PRICE, "k");

    assertThat(code(till.charge("o-2", "pm_ok", PRICE, "k"))).isEqualTo("idempotency_key_reused");
    assertThat(code(till.charge("o-1", "pm_ok", idr(99), "k"))).isEqualTo("idempotency_key_reused");
    assertThat(code(till.charge("o-1", "pm_slow", PRICE, "k"))).isEqualTo("idempotency_key_reused");
    assertThat(bank.captured("o-2")).isZero();
  }

  @Test
  void charges_and_refunds_may_share_a_key() {
    till.charge("o-1", "pm_ok", PRICE, "k");

    assertThat(code(till.cashier.refund(new Refund("o-1", idr(10), false), "k")))
        .isEqualTo("refunded 10");
  }

  @Test
  void an_order_is_charged_once_whatever_the_key() {
    till.charge("o-1");
    assertThat(code(till.charge("o-1", "pm_ok", PRICE, "other")))
        .isEqualTo("order_already_charged");

    bank.loseNextAnswer();
    till.charge("o-2");
    assertThat(code(till.charge("o-2", "pm_ok", PRICE, "other-2")))
        .isEqualTo("order_already_charged");
    assertThat(bank.captured("o-1") + bank.captured("o-2")).isEqualTo(200);
  }

  @Test
  void a_whole_refund_gives_back_what_is_left_once() {
    till.charge("o-1");
    till.refundPart("o-1", 1, 30);

    assertThat(code(till.refund("o-1"))).isEqualTo("refunded 70");
    assertThat(code(till.refund("o-1"))).isEqualTo("refunded 70");
    assertThat(code(till.cashier.refund(new Refund("o-1", PRICE, true), "another")))
        .isEqualTo("refunded 0");
    till.keeps("o-1", 0);
  }

  @Test
  void a_refund_before_the_charge_closes_the_order() {
    assertThat(code(till.refund("o-1"))).isEqualTo("refunded 0");
    assertThat(code(till.charge("o-1"))).isEqualTo("refunded");

    assertThat(bank.calls).isEmpty();
    till.keeps("o-1", 0);
  }

  @Test
  void no_capture_begins_once_the_refund_is_claimed_even_if_the_refund_is_in_doubt() {
    bank.beforeNext(CashierTest::fail);
    till.charge("o-1");
    bank.beforeNext(CashierTest::fail);
    assertThat(code(till.refund("o-1"))).isEqualTo("unclear");
    bank.calls.clear();

    assertThat(code(till.charge("o-1"))).isEqualTo("unclear");
    assertThat(bank.calls).isEmpty();

    assertThat(code(till.refund("o-1"))).isEqualTo("refunded 0");
    assertThat(code(till.charge("o-1"))).isEqualTo("refunded");
    till.keeps("o-1", 0);
  }

  private static void fail() {
    throw new IllegalStateException("no bank today");
  }

  @Test
  void partial_refunds_share_one_budget() {
    till.charge("o-1");

    assertThat(code(till.refundPart("o-1", 1, 60))).isEqualTo("refunded 60");
    assertThat(code(till.refundPart("o-1", 2, 41))).isEqualTo("refund_exceeds_captured");
    assertThat(code(till.refundPart("o-1", 3, 40))).isEqualTo("refunded 40");
    assertThat(code(till.refundPart("o-1", 1, 60))).isEqualTo("refunded 60");
    till.keeps("o-1", 0);
  }

  @Test
  void a_partial_refund_in_doubt_keeps_its_share() {
    till.charge("o-1");
    bank.loseNextAnswer();

    assertThat(code(till.refundPart("o-1", 1, 60))).isEqualTo("unclear");
    assertThat(till.ledger("o-1").pending()).isEqualTo(idr(60));
    assertThat(code(till.refundPart("o-1", 2, 41))).isEqualTo("refund_exceeds_captured");
    assertThat(code(till.refundPart("o-1", 1, 60))).isEqualTo("refunded 60");
    till.keeps("o-1", 40);
  }

  @Test
  void a_declined_partial_refund_gives_its_share_free() {
    till.charge("o-1");
    bank.beforeNext(() -> bank.answerNext(_ -> Outcome.declined("closed", "account closed")));

    // The scripted bank did it all the same; what it said is what counts in our books.
    assertThat(code(till.refundPart("o-1", 1, 60))).isEqualTo("closed");
    assertThat(till.ledger("o-1").pending()).isEqualTo(idr(0));
    assertThat(till.ledger("o-1").refunded()).isEqualTo(idr(0));
    assertThat(till.books.violations()).isEmpty();
  }

  @Test
  void there_is_nothing_to_refund_where_nothing_was_charged() {
    assertThat(code(till.refundPart("o-1", 1, 60))).isEqualTo("nothing_to_refund");
    assertThat(till.books.of("o-1")).isEmpty();

    till.charge("o-1", "pm_declined", PRICE, "k");
    assertThat(code(till.refundPart("o-1", 1, 60))).isEqualTo("nothing_to_refund");
  }

  @Test
  void a_refund_is_in_the_currency_of_the_charge_and_of_something() {
    till.charge("o-1");

    var dollars = new Money(1, "USD");
    assertThat(code(till.cashier.refund(new Refund("o-1", dollars, false), "r-1")))
        .isEqualTo("currency_mismatch");
    assertThat(code(till.cashier.refund(new Refund("o-1", dollars, true), "r-2")))
        .isEqualTo("currency_mismatch");
    assertThat(code(till.refundPart("o-1", 1, 0))).isEqualTo("amount_invalid");
    till.keeps("o-1", 100);
  }

  @Test
  void a_whole_refund_settles_a_partial_one_in_doubt_first() {
    till.charge("o-1");
    bank.loseNextAnswer();
    till.refundPart("o-1", 1, 60);

    assertThat(code(till.refund("o-1"))).isEqualTo("refunded 40");
    assertThat(code(till.refundPart("o-1", 1, 60))).isEqualTo("refunded 60");
    till.keeps("o-1", 0);
  }

  @Test
  void a_whole_refund_waits_while_another_refund_stays_in_doubt() {
    till.charge("o-1");
    bank.loseNextAnswer();
    till.refundPart("o-1", 1, 60);
    bank.loseNextAnswer();

    assertThat(code(till.refund("o-1"))).isEqualTo("unclear");
    assertThat(code(till.refund("o-1"))).isEqualTo("refunded 40");
    till.keeps("o-1", 0);
  }

  @Test
  void a_whole_refund_that_the_bank_declines_may_be_asked_for_again() {
    till.charge("o-1");
    bank.answerNext(_ -> Outcome.declined("limit", "too much today"));

    assertThat(code(till.refund("o-1"))).isEqualTo("limit");
    assertThat(code(till.refundPart("o-1", 1, 10))).isEqualTo("refund_exceeds_captured");
    assertThat(code(till.refund("o-1"))).isEqualTo("refunded 100");
    till.keeps("o-1", 0);
  }

  @Test
  void a_refund_that_does_not_fit_our_books_is_left_to_a_person() {
    till.charge("o-1");
    bank.answerNext(_ -> Outcome.done(new Receipt("t", idr(70), "refunded")));

    assertThat(code(till.refund("o-1"))).isEqualTo("unclear");
    assertThat(till.ledger("o-1").refunded()).isEqualTo(idr(0));
    assertThat(till.books.violations()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"UNKNOWN", "NOT_DONE", "BLOCKED", "UNUSABLE"})
  void nothing_is_charged_when_the_keys_cannot_be_read(Kind kind) {
    var troubled = new TroubledTables(till.tables);
    var cashier = new Cashier(troubled, bank, () -> Till.NOW);
    troubled.failNext(kind);

    var answer = cashier.charge(new Payments.Charge("o-1", "pm_ok", PRICE), "k");

    assertThat(code(answer)).isEqualTo("failed payment_unavailable");
    assertThat(answer)
        .as("whose fault it is")
        .isEqualTo(
            Outcome.unavailableHere(
                "payment_unavailable", "The payment records cannot be reached. Nothing was done."));
    assertThat(bank.calls).isEmpty();
  }

  @Test
  void an_answer_that_cannot_be_recorded_is_doubt_and_found_again() {
    var troubled = new TroubledTables(till.tables);
    var cashier = new Cashier(troubled, bank, () -> Till.NOW);
    bank.beforeNext(() -> troubled.failNext(Kind.NOT_DONE));

    var charge = new Payments.Charge("o-1", "pm_ok", PRICE);
    assertThat(cashier.charge(charge, "k"))
        .isInstanceOfSatisfying(
            Outcome.Unclear.class, it -> assertThat(it.doubt()).isEqualTo(Outcome.Doubt.OURS));
    assertThat(code(cashier.charge(charge, "k"))).isEqualTo("charged 100");
    till.keeps("o-1", 100);
  }

  @Test
  void a_charge_is_found_by_its_transaction_id() {
    var receipt = ((Outcome.Succeeded<Receipt>) till.charge("o-1")).data();

    assertThat(till.books.charged(receipt.transactionId()))
        .contains(new Books.Charged("o-1", receipt.transactionId(), PRICE));
    assertThat(till.books.charged("pay_unknown")).isEmpty();
  }

  /// Tables that fail when told to.
  private static final class TroubledTables implements Tables {

    private final Tables inner;
    private final List<Kind> troubles = new ArrayList<>();

    TroubledTables(Tables inner) {
      this.inner = inner;
    }

    void failNext(Kind kind) {
      troubles.add(kind);
    }

    @Override
    public <T> T read(String attempted, Work<T> work) {
      return inner.read(attempted, work);
    }

    @Override
    public <T> T write(String attempted, Work<T> work) {
      if (!troubles.isEmpty()) {
        throw new StoreException(troubles.removeFirst(), attempted + ": planted", null);
      }
      return inner.write(attempted, work);
    }

    @Override
    public void close() {}
  }
}
