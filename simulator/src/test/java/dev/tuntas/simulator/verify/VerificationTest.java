package dev.tuntas.simulator.verify;

import static dev.tuntas.simulator.verify.Papers.PRICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.money.Money;
import dev.tuntas.simulator.Effect;
import dev.tuntas.simulator.verify.Evidence.Holding;
import dev.tuntas.simulator.verify.Evidence.Order;
import dev.tuntas.simulator.verify.Evidence.Shelf;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Every invariant, kept and broken.
class VerificationTest {

  private static List<String> sentences(Papers papers) {
    return sentences(Verification.of(papers));
  }

  private static List<String> sentences(List<Finding> findings) {
    return findings.stream()
        .flatMap(finding -> finding.sentences().stream().map(s -> finding.invariant() + ": " + s))
        .toList();
  }

  @Test
  void papers_in_order_have_one_line_for_each_invariant_and_no_violation() {
    var findings = Verification.of(Papers.inOrder());

    assertThat(findings)
        .extracting(Finding::invariant)
        .containsExactly("M1", "M2", "M3", "M4", "M7", "M8", "S1", "S2", "S3", "S4", "S5");
    assertThat(sentences(Papers.inOrder())).isEmpty();
    assertThat(findings).allMatch(Finding::holds);
  }

  private static Arguments forged(String sentence, Consumer<Papers> forgery) {
    return Arguments.of(sentence, forgery);
  }

  static Stream<Arguments> forgeries() {
    return Stream.of(
        forged(
            "M1: free is CONFIRMED and the bank keeps 0 of it, not 100.",
            papers -> papers.order("free", "CONFIRMED")),
        forged(
            "M1: kept is FAILED and the bank keeps 100 of it, not 0.",
            papers -> {
              papers.order("kept", "FAILED");
              papers.moved("charge", "charge-kept", "kept", 100);
            }),
        forged(
            "M1: bought is CONFIRMED and the bank keeps 0 of it, not 100.",
            papers -> papers.moved("refund", "refund-bought", "bought", 100)),
        forged(
            "M2: bought was charged more than once.",
            papers -> papers.moved("charge", "another", "bought", 100)),
        forged(
            "M3: refunded was refunded more than it was charged.",
            papers -> papers.moved("refund", "refund-refunded-1", "refunded", 1)),
        forged(
            "M4: bought has an effect twice under the key of charge charge-bought.",
            papers -> papers.bankOnly("charge", "charge-bought", "bought", 100)),
        forged(
            "M4: bought has an effect twice under the key of commit commit-bought-0.",
            papers -> papers.warehouse.add(papers.warehouse.getFirst())),
        forged(
            "M7: moving was charged Rp 100 and not its price, $1.00.",
            papers -> {
              papers.orders.removeIf(order -> order.id().equals("moving"));
              papers.orders.add(
                  new Order("moving", "ACCEPTED", new Money(100, "USD"), false, false));
            }),
        forged(
            "M8: bought has another line in our journal than at the bank for charge charge-bought.",
            papers -> {
              var real = papers.bank.removeFirst();
              papers.bank.add(
                  new Effect(
                      real.at(),
                      "charge",
                      real.key(),
                      real.orderId(),
                      Papers.idr(99),
                      "charged",
                      List.of()));
            }),
        forged(
            "M8: bought has a line in our journal that the bank lacks, for charge charge-bought.",
            papers -> papers.bank.removeFirst()),
        forged(
            "M8: bought has no line in our journal for charge charge-bought.",
            papers -> papers.lines.removeIf(line -> line.key().equals("charge-bought"))),
        forged(
            "M8: bought has debits and credits that differ, for charge charge-bought.",
            papers -> papers.line("charge", "charge-bought", "bought", "customer", 0, 1)),
        forged(
            "S1: SKU-1 has more held and sold than there is.",
            papers -> papers.shelves.set(0, new Shelf("SKU-1", 2, -1, 1, 2))),
        forged(
            "S2: SKU-1 has 3 sold, and orders have taken 2.",
            papers -> papers.shelves.set(0, new Shelf("SKU-1", 10, 6, 1, 3))),
        forged(
            "S2: bought is CONFIRMED and has no goods.",
            papers -> papers.holdings.removeIf(holding -> holding.orderId().equals("bought"))),
        forged(
            "S2: bought was given nothing by the warehouse, and the inventory says 2 of SKU-1.",
            papers -> papers.warehouse.removeFirst()),
        forged(
            "S2: refunded is FAILED and has taken 1 of SKU-1.",
            papers -> papers.holdings.add(new Holding("refunded", "SKU-1", 0, 1))),
        forged(
            "S3: bought is CONFIRMED and still holds 1 of SKU-1.",
            papers -> papers.holdings.set(0, new Holding("bought", "SKU-1", 1, 2))),
        forged(
            "S4: refunded was given something after it had been released.",
            papers -> papers.did("reserve", "refunded", "reserved", 1)),
        forged(
            "S5: refunded was given back more than once.",
            papers -> papers.did("release", "refunded", "released", 0)),
        forged(
            "S5: refunded was released and still has SKU-1.",
            papers -> papers.holdings.add(new Holding("refunded", "SKU-1", 1, 0))),
        forged(
            "S5: SKU-1 has 2 on hold, and orders hold 1.",
            papers -> papers.shelves.set(0, new Shelf("SKU-1", 10, 6, 2, 2))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("forgeries")
  void a_forgery_is_found(String sentence, Consumer<Papers> forgery) {
    var papers = Papers.inOrder();
    forgery.accept(papers);

    assertThat(sentences(papers)).contains(sentence);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("forgeries")
  void one_order_at_a_time_finds_the_same(String sentence, Consumer<Papers> forgery) {
    var papers = Papers.inOrder();
    forgery.accept(papers);

    assertThat(sentences(Verification.of(papers, 1)))
        .contains(sentence)
        .containsExactlyInAnyOrderElementsOf(sentences(papers));
  }

  @Test
  void a_partial_refund_of_a_confirmed_order_is_in_order() {
    var papers = Papers.inOrder();
    papers.moved("refund", "refund-bought-1", "bought", 30);
    papers.balance("bought", 100, 30, 30, false);

    assertThat(sentences(papers)).isEmpty();
  }

  @Test
  void a_whole_refund_of_a_confirmed_order_needs_a_person() {
    var papers = Papers.inOrder();
    papers.moved("refund", "refund-bought", "bought", 100);
    papers.orders.set(0, new Order("bought", "CONFIRMED", PRICE, false, true));

    assertThat(sentences(papers)).isEmpty();
  }

  @Test
  void what_a_person_looks_at_may_differ() {
    var papers = Papers.inOrder();
    papers.orders.add(new Order("kept", "FAILED", PRICE, true, false));
    papers.bankOnly("charge", "charge-kept", "kept", 100);
    papers.holdings.add(new Holding("kept", "SKU-2", 1, 0));

    assertThat(sentences(papers)).isEmpty();
  }

  @Test
  void a_refund_in_doubt_may_be_known_to_the_bank_alone() {
    var papers = Papers.inOrder();
    papers.balance("bought", 100, 0, 0, true);
    papers.bankOnly("refund", "refund-bought-1", "bought", 30);

    assertThat(sentences(papers)).isEmpty();
  }

  @Test
  void without_the_ledgers_of_the_partners_our_own_records_must_do() {
    var papers = Papers.inOrder();
    papers.knowsBank = false;
    papers.knowsWarehouse = false;
    assertThat(sentences(papers)).isEmpty();

    papers.journalOnly("charge", "another", "bought", 100);
    papers.order("free", "CONFIRMED");
    assertThat(sentences(papers))
        .contains(
            "M2: bought was charged more than once.",
            "M1: free is CONFIRMED and the bank keeps 0 of it, not 100.",
            "S2: free is CONFIRMED and has no goods.");
  }

  @Test
  void sentences_are_few_and_the_count_is_whole() {
    var papers = Papers.inOrder();
    for (int i = 0; i < 500; i++) papers.order("free-" + i, "CONFIRMED");

    var first = Verification.of(papers).getFirst();
    assertThat(first.violations()).isEqualTo(500);
    assertThat(first.sentences()).hasSize(20);
  }
}
