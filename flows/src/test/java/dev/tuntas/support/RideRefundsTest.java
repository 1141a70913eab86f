package dev.tuntas.support;

import static dev.tuntas.support.Office.done;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.money.Money;
import dev.tuntas.orders.OrderEvent;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import dev.tuntas.support.RefundEvent.Result;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// What was paid for a ride that was given up goes back, by hand or by itself.
class RideRefundsTest {

  private static final String RIDE = "ord_1";
  private static final String CANCELLED = "CANCELLED_BY_SYSTEM_AFTER_PAYMENT";

  private static Office office(RefundPolicy policy) {
    var office = new Office(Tables.inMemory(TableSet.of("support")), policy);
    office.isPaid(RIDE);
    office.hear(givenUp(CANCELLED));
    return office;
  }

  private static OrderEvent givenUp(String status) {
    return new OrderEvent(
        RIDE + "/9/" + status,
        OrderEvent.MANUAL_ACTION,
        RIDE,
        9,
        "ride",
        "client-1",
        "cus-1",
        status,
        Office.PRICE,
        new OrderEvent.Reason("LIFETIME_TIMEOUT", "No driver was found within 30 minutes"),
        "MANUAL_REFUND_REQUIRED",
        null,
        false,
        Instant.parse("2026-11-16T02:00:00Z"),
        List.of());
  }

  private static void returned(Office office, Refund refund, long amount) {
    office.hear(new RefundEvent(refund.id(), RIDE, Result.DONE, new Money(amount, "IDR"), null));
  }

  @Test
  void a_ride_that_found_nobody_in_time_is_told_by_letter_and_by_push_once() {
    var office = new Office(Tables.inMemory(TableSet.of("support")));
    var alert = givenUp("CANCELLED_BY_SYSTEM");
    var cancelled =
        new OrderEvent(
            RIDE + "/9/0",
            OrderEvent.CANCELLED,
            RIDE,
            9,
            "ride",
            "client-1",
            "cus-1",
            "CANCELLED_BY_SYSTEM",
            Office.PRICE,
            alert.reason(),
            null,
            null,
            false,
            alert.at(),
            List.of());
    office.hear(cancelled);
    office.hear(cancelled);
    assertThat(office.post())
        .containsExactly("customer-webhook ord_1/9/0", "customer-webhook push-ord_1/9/0");
  }

  @Nested
  class ByHand {

    private final Office office = office(RefundPolicy.MANUAL);

    @Test
    void the_ride_hears_when_it_begins_and_when_all_is_back() {
      var refund = done(office.refund("ann", office.onlyTicket(), null, "k"));
      assertThat(office.money).containsExactly("ord_1 is refunded");
      returned(office, refund, 150_000);
      returned(office, refund, 150_000);
      assertThat(office.money).containsExactly("ord_1 is refunded", "ord_1 has its money back");
      assertThat(office.onlyTicket().isResolved()).isFalse();
    }

    @Test
    void parts_are_not_all_of_it_until_the_last_one() {
      var one = done(office.refund("ann", office.onlyTicket(), 100_000L, "a"));
      returned(office, one, 100_000);
      assertThat(office.money).doesNotContain("ord_1 has its money back");
      var rest = done(office.refund("ann", office.onlyTicket(), null, "b"));
      returned(office, rest, 50_000);
      assertThat(office.money).last().isEqualTo("ord_1 has its money back");
      assertThat(office.post()).filteredOn(it -> it.startsWith("customer")).hasSize(2);
    }

    @Test
    void other_orders_are_not_told() {
      var other = new Office(Tables.inMemory(TableSet.of("support")));
      other.isPaid(RIDE);
      other.hear(Office.alert(RIDE, 3, TicketType.MANUAL_REFUND_REQUIRED));
      returned(other, done(other.refund("ann", other.onlyTicket(), null, "k")), 150_000);
      assertThat(other.money).isEmpty();
    }
  }

  @Nested
  class ByItself {

    private final Office office = office(RefundPolicy.AUTOMATIC);
    private final AutomaticRefunds automatic =
        new AutomaticRefunds(office.tables, office.refunds, office.desk);

    @Test
    void nobody_is_alerted_and_the_ticket_is_resolved_when_the_money_is_back() {
      assertThat(office.post()).isEmpty();
      assertThat(automatic.begin(office.now(), 10)).isEqualTo(1);
      assertThat(automatic.begin(office.now(), 10)).isZero();
      assertThat(office.started).containsOnlyKeys("refund-ord_1");
      returned(office, office.refunds.of(RIDE).getFirst(), 150_000);
      assertThat(office.onlyTicket().resolution()).isEqualTo(Resolution.REFUNDED);
      assertThat(office.money).last().isEqualTo("ord_1 has its money back");
      assertThat(office.post()).containsExactly("customer-webhook refund-ord_1");
      assertThat(office.audit)
          .containsExactly("tuntas ticket.refund open>refund of Rp 150,000 as refund-ord_1");
    }

    @Test
    void a_refund_that_is_refused_is_handed_over_to_people() {
      automatic.begin(office.now(), 10);
      office.hear(new RefundEvent("refund-ord_1", RIDE, Result.REFUSED, null, "closed: account"));
      assertThat(automatic.begin(office.now(), 10)).isZero();
      assertThat(office.post())
          .containsExactly("slack " + office.onlyTicket().id(), "mail " + office.onlyTicket().id());
    }

    @Test
    void what_cannot_be_refunded_is_handed_over_once() {
      office.paid.clear();
      assertThat(automatic.begin(office.now(), 10)).isEqualTo(1);
      assertThat(automatic.begin(office.now(), 10)).isZero();
      assertThat(office.post()).hasSize(2);
      assertThat(office.onlyTicket().notes().getLast().text()).contains("No payment");
    }

    @Test
    void a_ride_that_a_person_cancelled_is_refunded_by_a_person() {
      var other = new Office(Tables.inMemory(TableSet.of("support")), RefundPolicy.AUTOMATIC);
      other.isPaid(RIDE);
      other.hear(givenUp("CANCELLED_BY_USER"));
      assertThat(
              new AutomaticRefunds(other.tables, other.refunds, other.desk).begin(other.now(), 9))
          .isZero();
      assertThat(other.post()).hasSize(2);
    }
  }
}
