package dev.tuntas.payment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What is found in books that somebody has tampered with, and that they can be read as a whole.
class BooksTest {

  private final Till till = new Till();

  @BeforeEach
  void trade() {
    till.charge("o-1");
    till.charge("o-2");
    till.refundPart("o-2", 1, 40);
    till.charge("o-3", "pm_declined", Till.PRICE, "charge-o-3");
  }

  @AfterEach
  void close() {
    till.close();
  }

  static Stream<Arguments> tamperings() {
    return Stream.of(
        tampering(
            "M2: o-1 was charged more than once.",
            "drop index idempotency_store_one_charge",
            "update idempotency_store set order_id = 'o-1' where key = 'charge-o-2'"),
        tampering(
            "M3: o-2 was refunded more than was captured.",
            "update purse set refunded = 101 where order_id = 'o-2'"),
        tampering(
            "M10: o-2 has promised more to refunds than is left of its charge.",
            "update purse set pending = 61 where order_id = 'o-2'"),
        tampering(
            "M8: o-1 has a journal whose debits and credits differ.",
            "update journal set debit = 99 where key = 'charge-o-1' and account = 'bank'"),
        tampering(
            "M8: o-1 has a journal that does not add up to its balance.",
            "delete from journal where key = 'charge-o-1'"),
        tampering(
            "M8: o-2 has requests that do not add up to its balance.",
            "update idempotency_store set amount = 41 where key = 'refund-o-2-1'"));
  }

  private static Arguments tampering(String sentence, String... statements) {
    return Arguments.of(sentence, List.of(statements));
  }

  @ParameterizedTest
  @MethodSource("tamperings")
  void tampered_books_are_found_out(String sentence, List<String> statements) {
    assertThat(till.books.violations()).isEmpty();
    till.tables.read(
        "tamper",
        session -> {
          session.update("pragma ignore_check_constraints = on");
          for (var statement : statements) session.update(statement);
          return statements;
        });

    assertThat(till.books.violations()).contains(sentence);
  }

  @Test
  void the_schema_itself_refuses_a_second_charge_and_a_refund_too_many() {
    assertThat(
            Stream.of(
                "update idempotency_store set order_id = 'o-1' where key = 'charge-o-2'",
                "update purse set pending = 61 where order_id = 'o-2'",
                "update purse set captured = 99 where order_id = 'o-1'",
                "update journal set debit = 0 where key = 'charge-o-1'"))
        .allSatisfy(
            statement ->
                assertThatThrownBy(
                        () -> till.tables.write("tamper", session -> session.update(statement)))
                    .hasMessageContaining("CONSTRAINT"));
  }

  @Test
  void every_balance_and_line_is_handed_over_across_pages() {
    for (int i = 0; i < 1_050; i++) till.charge("p-" + i);

    var balances = new ArrayList<Books.Balance>();
    till.books.eachBalance(balances::add);
    var lines = new ArrayList<Ledger.Line>();
    till.books.eachLine(lines::add);

    assertThat(balances)
        .hasSize(1_053)
        .isSortedAccordingTo((a, b) -> a.orderId().compareTo(b.orderId()));
    assertThat(balances.get(1))
        .isEqualTo(
            new Books.Balance(
                "o-2", Till.PRICE, Till.idr(40), Till.idr(40), Till.idr(0), false, false));
    assertThat(lines).hasSize(2 * 1_052 + 2).doesNotHaveDuplicates();
  }
}
