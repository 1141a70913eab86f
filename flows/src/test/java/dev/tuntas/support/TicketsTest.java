package dev.tuntas.support;

import static dev.tuntas.support.Office.alert;
import static dev.tuntas.support.Office.done;
import static dev.tuntas.support.Office.event;
import static dev.tuntas.support.Office.refused;
import static dev.tuntas.support.TicketType.COMPENSATION_FAILED;
import static dev.tuntas.support.TicketType.MANUAL_RECONCILIATION_REQUIRED;
import static dev.tuntas.support.TicketType.MANUAL_REFUND_REQUIRED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.engine.StoreException;
import dev.tuntas.money.Money;
import dev.tuntas.orders.OrderEvent;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import dev.tuntas.support.Ticket.Status;
import dev.tuntas.support.TicketWork.Deed;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TicketsTest {

  final Office office = new Office(tables());

  Tables tables() {
    return Tables.inMemory(TableSet.of("support"));
  }

  @AfterEach
  void close() {
    office.tables.close();
  }

  private Ticket opened(TicketType type) {
    office.hear(alert("ord_1", 3, type));
    return office.onlyTicket();
  }

  @Test
  void what_could_not_be_taken_back_is_not_settled_while_goods_are_left_over() {
    var ticket = opened(COMPENSATION_FAILED);
    var end = event("ord_1", 9, OrderEvent.FAILED, "FAILED", null, List.of("charge", "reserve"));
    office.hear(end);
    office.hear(end);

    var left = office.onlyTicket();
    assertThat(left.isResolved()).isFalse();
    assertThat(left.notes())
        .extracting(Ticket.Note::text)
        .filteredOn(text -> text.contains("the undoing of reserve was given up"))
        .hasSize(1);
    assertThat(office.post())
        .as("the customer has nothing to wait for")
        .filteredOn(line -> line.startsWith("customer"))
        .hasSize(1);
    done(office.work.resolve(office.by("ann", ticket), Resolution.NO_ACTION, "given back"));
  }

  @Test
  void an_order_stuck_in_payment_becomes_a_ticket_that_says_what_to_do() {
    var ticket = opened(MANUAL_RECONCILIATION_REQUIRED);
    assertThat(ticket.reason())
        .isEqualTo("Booking ord_1 stuck at PAYMENT_SENT: manual reconciliation required");
    assertThat(ticket.status()).isEqualTo(Status.OPEN);
    assertThat(ticket.amount()).isEqualTo(Office.PRICE);
    assertThat(ticket.dueAt()).isEqualTo(office.now().plus(Duration.ofHours(24)));
    assertThat(ticket.actions()).isNotEmpty();
    assertThat(ticket.notes())
        .extracting(Ticket.Note::text)
        .containsExactly("no answer <script>alert(1)</script>");
  }

  @ParameterizedTest
  @EnumSource(TicketType.class)
  void the_same_notice_told_again_opens_nothing_and_alerts_nobody(TicketType type) {
    office.hear(alert("ord_1", 3, type));
    office.hear(alert("ord_1", 3, type));
    var ticket = office.onlyTicket();
    assertThat(office.post()).containsExactly("slack " + ticket.id(), "mail " + ticket.id());
    assertThat(ticket.version()).isEqualTo(ticket.notes().isEmpty() ? 1 : 2);
  }

  @Test
  void the_same_notice_told_again_after_the_ticket_was_resolved_opens_nothing() {
    var ticket = opened(MANUAL_REFUND_REQUIRED);
    done(office.work.resolve(office.by("ann", ticket), Resolution.NO_ACTION, null));
    office.hear(alert("ord_1", 3, MANUAL_REFUND_REQUIRED));
    assertThat(office.onlyTicket().isResolved()).isTrue();
  }

  @Test
  void a_second_cause_of_the_same_kind_is_noted_in_the_open_ticket() {
    opened(COMPENSATION_FAILED);
    office.hear(alert("ord_1", 5, COMPENSATION_FAILED));
    var ticket = office.onlyTicket();
    assertThat(ticket.notes())
        .last()
        .extracting(Ticket.Note::text)
        .asString()
        .startsWith("Again: ");
    assertThat(office.post()).hasSize(2);
  }

  @Test
  void a_second_cause_after_the_first_was_resolved_is_a_new_ticket() {
    var ticket = opened(MANUAL_REFUND_REQUIRED);
    done(office.work.resolve(office.by("ann", ticket), Resolution.NO_ACTION, "was a test"));
    office.hear(alert("ord_1", 5, MANUAL_REFUND_REQUIRED));
    assertThat(office.tickets())
        .extracting(Ticket::status)
        .containsExactly(Status.RESOLVED, Status.OPEN);
  }

  @Test
  void an_alert_that_nobody_knows_is_an_unexpected_state() {
    office.hear(event("ord_1", 3, OrderEvent.MANUAL_ACTION, "FAILED", "GHOST"));
    var ticket = office.onlyTicket();
    assertThat(ticket.type()).isEqualTo(TicketType.UNEXPECTED_STATE);
    assertThat(ticket.reason()).contains("GHOST");
  }

  @Test
  void every_deed_has_its_audit_entry() {
    var ticket = opened(MANUAL_REFUND_REQUIRED);
    done(office.work.verify(office.by("ann", ticket)));
    done(office.work.note(office.by("bob", ticket), "called the customer"));
    done(office.work.resolve(office.by("ann", ticket), Resolution.NO_ACTION, "refunded in cash"));
    done(office.work.note(office.by("ann", ticket), "the customer thanks"));
    assertThat(office.audit)
        .containsExactly(
            "ann ticket.verify open>in_progress",
            "bob ticket.note in_progress>in_progress",
            "ann ticket.resolve in_progress>no_action",
            "ann ticket.note resolved>resolved");
    assertThat(office.onlyTicket().notes())
        .extracting(Ticket.Note::author)
        .containsExactly("bob", "ann", "ann");
  }

  @Test
  void a_deed_that_cannot_be_audited_is_not_done() {
    var ticket = opened(MANUAL_RECONCILIATION_REQUIRED);
    office.waiting.add("ord_1");
    office.auditIsBroken = true;
    var deed = office.by("ann", ticket);
    assertThatThrownBy(() -> office.work.resolve(deed, Resolution.HAPPENED, null))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> office.work.note(deed, "hm")).isInstanceOf(StoreException.class);
    assertThat(office.onlyTicket()).isEqualTo(ticket);
  }

  @Test
  void a_ticket_that_changed_since_it_was_looked_at_is_not_touched() {
    var ticket = opened(MANUAL_REFUND_REQUIRED);
    var seen = new Deed("ann", ticket.id(), ticket.version());
    var after = done(office.work.verify(seen));
    assertThat(after.version()).isGreaterThan(ticket.version());
    assertThat(refused(office.work.note(seen, "late"))).isEqualTo("CHANGED version_conflict");
    assertThat(refused(office.work.resolve(seen, Resolution.NO_ACTION, null)))
        .isEqualTo("CHANGED version_conflict");
    assertThat(
            refused(
                office.refunds.request(
                    new Refunds.Wish("ann", ticket.id(), null, null, "k", ticket.version()))))
        .isEqualTo("CHANGED version_conflict");
    assertThat(office.onlyTicket()).isEqualTo(after);
  }

  @Test
  void a_ticket_is_resolved_once() {
    var ticket = opened(MANUAL_REFUND_REQUIRED);
    var deed = office.by("ann", ticket);
    done(office.work.resolve(deed, Resolution.NO_ACTION, null));
    assertThat(refused(office.work.resolve(deed, Resolution.NO_ACTION, null)))
        .isEqualTo("CONFLICT ticket_resolved");
    assertThat(refused(office.work.verify(deed))).isEqualTo("CONFLICT ticket_resolved");
    assertThat(refused(office.refund("ann", ticket, null, "k")))
        .isEqualTo("CONFLICT ticket_resolved");
  }

  @Test
  void there_is_no_ticket_of_an_unknown_id() {
    var deed = new Deed("ann", "tic_0", null);
    assertThat(refused(office.work.verify(deed))).isEqualTo("NOT_FOUND not_found");
    assertThat(refused(office.work.note(deed, "x"))).isEqualTo("NOT_FOUND not_found");
    assertThat(
            refused(
                office.refunds.request(new Refunds.Wish("ann", "tic_0", null, null, "k", null))))
        .isEqualTo("NOT_FOUND not_found");
  }

  @ParameterizedTest
  @EnumSource(
      value = Resolution.class,
      names = {"HAPPENED", "DID_NOT_HAPPEN"})
  void what_a_person_finds_out_is_told_to_the_saga_that_waits_for_it(Resolution finding) {
    var ticket = opened(MANUAL_RECONCILIATION_REQUIRED);
    office.waiting.add("ord_1");
    done(office.work.resolve(office.by("ann", ticket), finding, "bank says so"));
    assertThat(office.rulings)
        .containsExactly("ord_1 " + (finding == Resolution.HAPPENED) + " ann");
    assertThat(office.onlyTicket().resolution()).isEqualTo(finding);
  }

  @Test
  void a_saga_that_waits_for_a_decision_gets_one() {
    var ticket = opened(MANUAL_RECONCILIATION_REQUIRED);
    office.waiting.add("ord_1");
    for (var evasion : new Resolution[] {Resolution.NO_ACTION, Resolution.REFUNDED}) {
      assertThat(refused(office.work.resolve(office.by("ann", ticket), evasion, null)))
          .isEqualTo("CONFLICT decision_needed");
    }
    assertThat(office.rulings).isEmpty();
  }

  @Test
  void a_finding_is_told_when_no_call_can_be_under_way_any_more() {
    var ticket = opened(MANUAL_RECONCILIATION_REQUIRED);
    office.waiting.add("ord_1");
    office.quietAt = office.now().plusSeconds(10);
    done(office.work.resolve(office.by("ann", ticket), Resolution.DID_NOT_HAPPEN, null));
    assertThat(office.rulings).isEmpty();
    office.pass(Duration.ofSeconds(9));
    assertThat(office.desk.tellFindings(office.now())).isZero();
    assertThat(office.desk.reopenUnheeded(office.now().plusSeconds(60))).isZero();
    office.pass(Duration.ofSeconds(1));
    assertThat(office.desk.tellFindings(office.now())).isEqualTo(1);
    assertThat(office.desk.tellFindings(office.now().plusSeconds(60))).isZero();
    assertThat(office.rulings).containsExactly("ord_1 false ann");
  }

  @Test
  void a_finding_that_the_saga_did_not_take_opens_the_ticket_again() {
    var ticket = opened(MANUAL_RECONCILIATION_REQUIRED);
    office.waiting.add("ord_1");
    done(office.work.resolve(office.by("ann", ticket), Resolution.HAPPENED, null));
    assertThat(office.desk.reopenUnheeded(office.now().plusSeconds(29))).isZero();
    assertThat(office.desk.reopenUnheeded(office.now().plusSeconds(30))).isEqualTo(1);
    assertThat(office.onlyTicket().status()).isEqualTo(Status.OPEN);
    assertThat(office.onlyTicket().resolution()).isNull();

    done(office.work.resolve(office.by("ann", ticket), Resolution.HAPPENED, null));
    office.waiting.clear();
    assertThat(office.desk.reopenUnheeded(office.now().plusSeconds(60))).isZero();
    office.waiting.add("ord_1");
    assertThat(office.desk.reopenUnheeded(office.now().plusSeconds(90)))
        .as("it was heeded; what waits now is another matter")
        .isZero();
  }

  @Test
  void where_no_saga_waits_there_is_nothing_to_decide() {
    var ticket = opened(MANUAL_RECONCILIATION_REQUIRED);
    assertThat(refused(office.work.resolve(office.by("ann", ticket), Resolution.HAPPENED, null)))
        .isEqualTo("CONFLICT nothing_to_decide");
    done(office.work.resolve(office.by("ann", ticket), Resolution.NO_ACTION, null));
  }

  @Test
  void refunded_is_said_only_of_an_order_that_was() {
    var ticket = opened(MANUAL_REFUND_REQUIRED);
    assertThat(refused(office.work.resolve(office.by("ann", ticket), Resolution.REFUNDED, null)))
        .isEqualTo("CONFLICT not_refunded");
  }

  @Test
  void a_refund_by_hand_stands_in_for_an_undo_that_failed() {
    var ticket = opened(COMPENSATION_FAILED);
    office.isPaid("ord_1");
    office.waiting.add("ord_1");
    var refund = done(office.refund("ann", ticket, null, "k"));
    assertThat(refused(office.work.resolve(office.by("ann", ticket), Resolution.REFUNDED, null)))
        .isEqualTo("CONFLICT refund_in_progress");
    office.hear(new RefundEvent(refund.id(), "ord_1", RefundEvent.Result.DONE, Office.PRICE, null));
    done(office.work.resolve(office.by("ann", ticket), Resolution.REFUNDED, null));
    assertThat(office.rulings).containsExactly("ord_1 true ann");
  }

  @Test
  void a_refund_by_hand_gives_no_goods_back() {
    var ticket = opened(COMPENSATION_FAILED);
    office.isPaid("ord_1");
    office.waiting.add("ord_1");
    office.keepingGoods.add("ord_1");
    var refund = done(office.refund("ann", ticket, null, "k"));
    office.hear(new RefundEvent(refund.id(), "ord_1", RefundEvent.Result.DONE, Office.PRICE, null));

    assertThat(refused(office.work.resolve(office.by("ann", ticket), Resolution.REFUNDED, null)))
        .isEqualTo("CONFLICT decision_needed");
    assertThat(office.rulings).isEmpty();
  }

  @Test
  void a_part_that_was_refunded_by_hand_does_not_stand_in_for_all_of_it() {
    var ticket = opened(COMPENSATION_FAILED);
    office.isPaid("ord_1");
    office.waiting.add("ord_1");
    var part = done(office.refund("ann", ticket, 1L, "k"));
    office.hear(
        new RefundEvent(part.id(), "ord_1", RefundEvent.Result.DONE, new Money(1, "IDR"), null));

    assertThat(refused(office.work.resolve(office.by("ann", ticket), Resolution.REFUNDED, null)))
        .isEqualTo("CONFLICT not_refunded");
    assertThat(office.rulings).isEmpty();
  }

  @Test
  void a_cancellation_that_waits_is_what_its_ticket_is_about() {
    office.hear(Office.alert("ord_1", 1_000_003, MANUAL_RECONCILIATION_REQUIRED));
    var ticket = office.onlyTicket();
    office.waiting.add("cancel-ord_1");
    done(office.work.resolve(office.by("ann", ticket), Resolution.HAPPENED, null));
    assertThat(office.rulings).containsExactly("cancel-ord_1 true ann");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"<b>bold</b>", "*x* `y`", "<!channel>", "two\r\nlines\tand a tab", "日本 👍🏽"})
  void a_note_may_hold_any_text_and_keeps_it_as_it_is(String text) {
    var ticket = opened(MANUAL_REFUND_REQUIRED);
    var after = done(office.work.note(office.by("ann", ticket), text));
    assertThat(after.notes()).last().extracting(Ticket.Note::text).isEqualTo(text);
  }

  @Test
  void a_note_that_is_no_text_is_refused() {
    var ticket = opened(MANUAL_REFUND_REQUIRED);
    var deed = office.by("ann", ticket);
    for (var bad : new String[] {"a\0b", "a\u001bb", "a\u202eb", "a\ud800b", "a\u0007"}) {
      assertThat(refused(office.work.note(deed, bad))).isEqualTo("INVALID text_invalid");
    }
    assertThat(refused(office.work.note(deed, "  "))).isEqualTo("INVALID field_required");
    assertThat(refused(office.work.note(deed, "x".repeat(4_001)))).isEqualTo("TOO_LONG too_long");
    done(office.work.note(deed, "x".repeat(4_000)));
  }

  @Test
  void a_ticket_past_its_time_is_marked_and_alerted_once() {
    var ticket = opened(MANUAL_REFUND_REQUIRED);
    assertThat(office.desk.markOverdue(ticket.dueAt().minusMillis(1))).isZero();
    assertThat(office.desk.markOverdue(ticket.dueAt())).isEqualTo(1);
    assertThat(office.desk.markOverdue(ticket.dueAt().plusSeconds(60))).isZero();
    assertThat(office.onlyTicket().overdue()).isTrue();
    assertThat(office.post()).filteredOn(line -> line.contains("overdue-")).hasSize(2);
    var counts = office.tables.read("count", session -> new Tickets().counts(session));
    assertThat(counts).isEqualTo(new Tickets.Counts(1, 1, 1));
  }

  @Test
  void a_resolved_ticket_is_never_overdue() {
    var ticket = opened(MANUAL_REFUND_REQUIRED);
    done(office.work.resolve(office.by("ann", ticket), Resolution.NO_ACTION, null));
    assertThat(office.desk.markOverdue(ticket.dueAt().plusSeconds(60))).isZero();
  }

  @Test
  void tickets_are_listed_newest_first_page_by_page_and_by_what_is_wanted() {
    for (int i = 1; i <= 5; i++) office.hear(alert("ord_" + i, 1, MANUAL_REFUND_REQUIRED));
    office.hear(alert("ord_3", 2, COMPENSATION_FAILED));
    var first = page(Tickets.Filter.ALL, Long.MAX_VALUE);
    assertThat(first).extracting(Ticket::orderId).containsExactly("ord_3", "ord_5");
    var next = page(Tickets.Filter.ALL, first.getLast().no());
    assertThat(next).extracting(Ticket::orderId).containsExactly("ord_4", "ord_3");
    var some = new Tickets.Filter(Status.OPEN, COMPENSATION_FAILED, "ord_3");
    assertThat(page(some, Long.MAX_VALUE)).hasSize(1);
    assertThat(page(new Tickets.Filter(Status.RESOLVED, null, null), Long.MAX_VALUE)).isEmpty();
  }

  private List<Ticket> page(Tickets.Filter filter, long before) {
    return office.tables.read("list", s -> new Tickets().list(s, filter, before, 2));
  }

  @Test
  void a_ticket_about_doubt_is_settled_when_the_order_ends_and_the_customer_is_told() {
    opened(MANUAL_RECONCILIATION_REQUIRED);
    office.hear(event("ord_1", 7, OrderEvent.FAILED, "FAILED", null));
    assertThat(office.onlyTicket().resolution()).isEqualTo(Resolution.SETTLED);
    assertThat(office.post()).contains("customer-webhook ord_1/7/0");
  }

  @Test
  void an_older_notice_that_is_told_again_settles_nothing() {
    opened(MANUAL_RECONCILIATION_REQUIRED);
    office.hear(event("ord_1", 2, OrderEvent.FAILED, "FAILED", null));
    assertThat(office.onlyTicket().status()).isEqualTo(Status.OPEN);
  }

  @Test
  void what_could_not_be_taken_back_is_settled_when_it_was_in_the_end() {
    office.isPaid("ord_1");
    opened(COMPENSATION_FAILED);
    office.paid.put("ord_1", new Bills.Bill(Office.PRICE, Office.PRICE));
    office.hear(event("ord_1", 7, OrderEvent.FAILED, "FAILED", null));
    assertThat(office.onlyTicket().resolution()).isEqualTo(Resolution.SETTLED);
    assertThat(office.post()).contains("customer-webhook ord_1/7/0");
  }

  @Test
  void nobody_is_told_of_a_failure_while_we_keep_the_customers_money() {
    office.isPaid("ord_1");
    opened(COMPENSATION_FAILED);
    office.hear(event("ord_1", 7, OrderEvent.FAILED, "FAILED", null));
    assertThat(office.onlyTicket().status()).isEqualTo(Status.OPEN);
    assertThat(office.post()).noneMatch(line -> line.startsWith("customer"));
  }

  @Test
  void the_customer_hears_of_each_end_once() {
    var confirmed = event("ord_1", 4, OrderEvent.CONFIRMED, "CONFIRMED", null);
    office.hear(confirmed);
    office.hear(confirmed);
    office.hear(event("ord_2", 4, OrderEvent.FAILED, "FAILED", null));
    office.hear(event("ord_2", 2, OrderEvent.MOVED, "PAYMENT_SENT", null));
    office.hear(event("ord_2", 5, OrderEvent.REFUNDED, "FAILED", null));
    assertThat(office.post())
        .containsExactly(
            "customer-webhook ord_1/4/0",
            "customer-webhook ord_2/4/0",
            "customer-webhook refund-ord_2");
  }
}
