package dev.tuntas.support;

import static dev.tuntas.support.Office.alert;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.store.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The same on PostgreSQL, where people really act at once.
class PostgresRefundsIT extends RefundsTest {

  private static final int AT_ONCE = 8;

  @Override
  Tables tables() {
    return SupportPostgres.tables();
  }

  private static <T> List<T> atOnce(List<Callable<T>> work) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answers = new ArrayList<T>();
      for (Future<T> answer : threads.invokeAll(work)) answers.add(answer.get());
      return answers;
    }
  }

  private List<Answer<Refund>> refundsAtOnce(boolean sameClick) throws Exception {
    return atOnce(
        IntStream.range(0, AT_ONCE)
            .<Callable<Answer<Refund>>>mapToObj(
                i -> () -> office.refund("ann", ticket, null, sameClick ? "k" : "k" + i))
            .toList());
  }

  @Test
  void of_many_who_refund_everything_at_once_one_is_accepted() throws Exception {
    var answers = refundsAtOnce(false);
    assertThat(answers).filteredOn(Answer.Done.class::isInstance).hasSize(1);
    assertThat(answers)
        .filteredOn(Answer.Refused.class::isInstance)
        .extracting(Office::refused)
        .containsOnly("INVALID refund_exceeds_captured");
    assertThat(office.claimed("ord_1")).isEqualTo(150_000);
  }

  @Test
  void the_same_click_many_times_at_once_is_one_refund() throws Exception {
    var answers = refundsAtOnce(true);
    assertThat(answers).extracting(answer -> Office.done(answer).id()).containsOnly("refund-ord_1");
    assertThat(office.claimed("ord_1")).isEqualTo(150_000);
    assertThat(office.audit).hasSize(1);
  }

  @Test
  void the_same_click_on_two_tickets_at_once_is_for_one_of_them() throws Exception {
    office.isPaid("ord_2");
    office.hear(alert("ord_2", 1, TicketType.MANUAL_REFUND_REQUIRED));
    var other = office.tickets().getLast();
    var answers =
        atOnce(
            List.<Callable<Answer<Refund>>>of(
                () -> office.refund("ann", ticket, null, "k"),
                () -> office.refund("ann", other, null, "k")));
    assertThat(answers).filteredOn(Answer.Done.class::isInstance).hasSize(1);
    assertThat(office.claimed("ord_1") + office.claimed("ord_2")).isEqualTo(150_000);
  }

  @Test
  void a_notice_heard_by_many_at_once_opens_one_ticket() throws Exception {
    atOnce(
        IntStream.range(0, AT_ONCE)
            .<Callable<Boolean>>mapToObj(
                i ->
                    () -> {
                      office.hear(alert("ord_9", 1 + i % 2, TicketType.COMPENSATION_FAILED));
                      return true;
                    })
            .toList());
    assertThat(office.tickets()).filteredOn(t -> t.orderId().equals("ord_9")).hasSize(1);
    assertThat(office.post()).hasSize(4);
  }
}
