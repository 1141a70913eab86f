package dev.tuntas.support;

import static dev.tuntas.support.Office.alert;
import static dev.tuntas.support.Office.done;
import static dev.tuntas.support.Office.refused;
import static dev.tuntas.support.TicketType.MANUAL_RECONCILIATION_REQUIRED;
import static dev.tuntas.support.TicketType.MANUAL_REFUND_REQUIRED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.engine.StoreException;
import dev.tuntas.money.Money;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import dev.tuntas.support.Bills.Bill;
import dev.tuntas.support.RefundEvent.Result;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RefundsTest {

  final Office office = new Office(tables());
  Ticket ticket;

  Tables tables() {
    return Tables.inMemory(TableSet.of("support"));
  }

  @BeforeEach
  void open() {
    office.isPaid("ord_1");
    office.hear(alert("ord_1", 3, MANUAL_REFUND_REQUIRED));
    ticket = office.onlyTicket();
  }

  @AfterEach
  void close() {
    office.tables.close();
  }

  private void heard(Refund refund, Result result, Money returned) {
    office.hear(new RefundEvent(refund.id(), "ord_1", result, returned, null));
  }

  @Test
  void a_refund_of_everything_uses_the_key_of_the_orders_own_refund() {
    var refund = done(office.refund("ann", ticket, null, "k"));
    assertThat(refund.id()).isEqualTo("refund-ord_1");
    assertThat(office.started)
        .containsEntry("refund-ord_1", new RefundTask("ord_1", Office.PRICE, true, null));
    assertThat(office.audit).hasSize(1);
    assertThat(office.onlyTicket().status()).isEqualTo(Ticket.Status.IN_PROGRESS);
  }

  @Test
  void parts_are_numbered_and_together_never_exceed_what_was_paid() {
    assertThat(done(office.refund("ann", ticket, 50_000L, "a")).id()).isEqualTo("refund-ord_1-1");
    assertThat(done(office.refund("ann", ticket, 50_000L, "b")).id()).isEqualTo("refund-ord_1-2");
    assertThat(refused(office.refund("ann", ticket, 50_001L, "c")))
        .isEqualTo("INVALID refund_exceeds_captured");
    var rest = done(office.refund("ann", ticket, null, "d"));
    assertThat(rest.id()).isEqualTo("refund-ord_1");
    assertThat(rest.amount()).isEqualTo(new Money(50_000, "IDR"));
    assertThat(refused(office.refund("ann", ticket, 1L, "e")))
        .isEqualTo("INVALID refund_exceeds_captured");
    assertThat(office.claimed("ord_1")).isEqualTo(150_000);
  }

  @Test
  void the_same_click_is_the_same_refund() {
    var first = done(office.refund("ann", ticket, 10L, "k"));
    var second = office.refund("ann", ticket, 10L, "k");
    assertThat(done(second).id()).isEqualTo(first.id());
    assertThat(((Answer.Done<Refund>) second).repeated()).isTrue();
    assertThat(office.claimed("ord_1")).isEqualTo(10);
    assertThat(refused(office.refund("ann", ticket, 11L, "k")))
        .isEqualTo("INVALID idempotency_key_reused");
    assertThat(done(office.refund("bob", ticket, 10L, "k")).id()).isNotEqualTo(first.id());
  }

  @Test
  void a_second_refund_of_everything_exceeds_what_was_paid() {
    done(office.refund("ann", ticket, null, "a"));
    assertThat(refused(office.refund("bob", ticket, null, "b")))
        .isEqualTo("INVALID refund_exceeds_captured");
  }

  @Test
  void amounts_that_make_no_sense_are_refused() {
    for (long bad : new long[] {0, -1, Long.MIN_VALUE}) {
      assertThat(refused(office.refund("ann", ticket, bad, "k")))
          .isEqualTo("INVALID refund_amount_invalid");
    }
    assertThat(refused(office.refund("ann", ticket, Long.MAX_VALUE, "k")))
        .isEqualTo("INVALID refund_exceeds_captured");
    var dollars = new Refunds.Wish("ann", ticket.id(), 10L, "USD", "k", null);
    assertThat(refused(office.refunds.request(dollars))).isEqualTo("INVALID refund_amount_invalid");
    assertThat(office.claimed("ord_1")).isZero();
    assertThat(office.audit).isEmpty();
  }

  @Test
  void an_order_that_nobody_paid_for_has_nothing_to_refund() {
    office.paid.clear();
    assertThat(refused(office.refund("ann", ticket, null, "k")))
        .isEqualTo("CONFLICT nothing_to_refund");
  }

  @Test
  void what_the_order_gave_back_by_itself_is_not_there_any_more() {
    office.paid.put("ord_1", new Bill(Office.PRICE, new Money(100_000, "IDR")));
    assertThat(refused(office.refund("ann", ticket, 50_001L, "k")))
        .isEqualTo("INVALID refund_exceeds_captured");
    done(office.refund("ann", ticket, 50_000L, "k"));
  }

  @Test
  void the_database_itself_refuses_to_give_back_more_than_was_paid() {
    done(office.refund("ann", ticket, null, "k"));
    assertThatThrownBy(
            () ->
                office.tables.write(
                    "overdraw", s -> s.update("update support_budget set claimed = claimed + 1")))
        .isInstanceOf(StoreException.class);
  }

  @Test
  void an_accepted_refund_is_started_even_if_the_engine_was_away() {
    office.engineIsAway = true;
    var refund = done(office.refund("ann", ticket, null, "k"));
    assertThat(office.started).isEmpty();
    office.engineIsAway = false;
    assertThat(office.refunds.startRequested(10)).isEqualTo(1);
    assertThat(office.started).containsOnlyKeys(refund.id());
    assertThat(office.refunds.startRequested(10)).isZero();
  }

  @Test
  void the_customer_and_the_ticket_hear_of_a_refund_once() {
    var refund = done(office.refund("ann", ticket, null, "k"));
    heard(refund, Result.DONE, Office.PRICE);
    heard(refund, Result.DONE, Office.PRICE);
    assertThat(office.post())
        .filteredOn(line -> line.startsWith("customer"))
        .containsExactly("customer-webhook refund-ord_1");
    assertThat(office.onlyTicket().notes())
        .last()
        .extracting(Ticket.Note::text)
        .isEqualTo("Rp 150,000 was refunded as refund-ord_1");
    done(office.work.resolve(office.by("ann", ticket), Resolution.REFUNDED, null));
  }

  @Test
  void a_refund_that_certainly_failed_gives_its_claim_back_and_tells_the_ticket() {
    var refund = done(office.refund("ann", ticket, null, "a"));
    heard(refund, Result.REFUSED, null);
    heard(refund, Result.REFUSED, null);
    assertThat(office.claimed("ord_1")).isZero();
    assertThat(office.onlyTicket().notes())
        .last()
        .extracting(Ticket.Note::text)
        .asString()
        .contains("refused");
    var again = done(office.refund("ann", ticket, null, "b"));
    assertThat(again.id()).as("a saga's id is used once").isEqualTo("refund-ord_1-1");
    assertThat(office.started)
        .containsEntry("refund-ord_1-1", new RefundTask("ord_1", Office.PRICE, true, null));
    heard(again, Result.DONE, Office.PRICE);
    assertThat(office.post())
        .filteredOn(line -> line.startsWith("customer"))
        .as("it is the same money as that of the order's own refund")
        .containsExactly("customer-webhook refund-ord_1");
    assertThat(refused(office.refund("ann", ticket, null, "c")))
        .isEqualTo("INVALID refund_exceeds_captured");
  }

  @Test
  void a_refund_in_doubt_keeps_its_claim_and_a_person_ends_the_doubt() {
    var refund = done(office.refund("ann", ticket, null, "a"));
    office.waiting.add(refund.id());
    heard(refund, Result.HELD, null);
    heard(refund, Result.HELD, null);
    assertThat(office.claimed("ord_1")).isEqualTo(150_000);
    assertThat(office.tickets()).hasSize(2);
    var doubt = office.tickets().getLast();
    assertThat(doubt.type()).isEqualTo(MANUAL_RECONCILIATION_REQUIRED);
    assertThat(doubt.reason())
        .isEqualTo("Refund refund-ord_1 stuck at REFUND_SENT: manual reconciliation required");
    done(office.work.resolve(office.by("ann", doubt), Resolution.DID_NOT_HAPPEN, "bank: no"));
    assertThat(office.rulings).containsExactly("refund-ord_1 false ann");
    heard(refund, Result.REFUSED, null);
    assertThat(office.claimed("ord_1")).isZero();
  }
}
