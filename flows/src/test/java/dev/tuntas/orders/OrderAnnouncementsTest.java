package dev.tuntas.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.bus.Attempts.Patience;
import dev.tuntas.bus.BusAwayException;
import dev.tuntas.bus.BusWatch;
import dev.tuntas.bus.CloudEvent;
import dev.tuntas.bus.MemoryBus;
import dev.tuntas.bus.MessageBook;
import dev.tuntas.bus.MessageRelay;
import dev.tuntas.bus.TestClock;
import dev.tuntas.bus.TimeoutWorker;
import dev.tuntas.engine.Outbox;
import dev.tuntas.store.Tables;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the world hears of orders over the bus.
@Timeout(30)
class OrderAnnouncementsTest {

  private static final String ORDER = "ord_01k0000000abcdefghjkmnpqrs";
  private static final String BODY =
      "{\"kind\":\"checkout\",\"customer_id\":\"cus-1\",\"status\":\"%s\"}";

  @TempDir Path folder;

  private final TestClock clock = new TestClock();
  private final MessageBook book = new MessageBook();
  private final MemoryBus bus =
      new MemoryBus(new Patience(1, Duration.ZERO, Duration.ZERO), BusWatch.NONE);
  private final BlockingQueue<CloudEvent> heard = new LinkedBlockingQueue<>();
  private Tables tables;
  private MessageRelay relay;

  @BeforeEach
  void begin() {
    tables = Tables.sqlite(folder, MessageBook.TABLES);
    relay = new MessageRelay(tables, book, bus, clock, "here", Duration.ofDays(1));
    bus.listen(
        "world",
        Set.of(
            "order.accepted",
            "order.confirmed",
            "order.failed",
            "order.refunded",
            "order.job_id_retrieved",
            "ORDER_CREATED",
            "ORDER_CONFIRMED",
            "ORDER_TIMEOUT",
            "PAYMENT_FAILED"),
        message -> heard.add(CloudEvent.read(message)));
  }

  @AfterEach
  void end() {
    bus.close();
    tables.close();
  }

  private Outbox.Entry notice(String saga, long version, int seq, String type, String body) {
    return new Outbox.Entry(1, saga, version, seq, type, body, clock.instant(), 0);
  }

  private void write(@Nullable Duration expires, Outbox.Entry... notices) {
    var announcements = new OrderAnnouncements(book, clock, expires);
    tables.write(
        "announce",
        session -> {
          announcements.write(session, List.of(notices));
          return true;
        });
  }

  private List<CloudEvent> published(int count) throws Exception {
    drain();
    var events = new ArrayList<CloudEvent>();
    for (int i = 0; i < count; i++) {
      var event = heard.poll(20, TimeUnit.SECONDS);
      assertThat(event).isNotNull();
      events.add(event);
    }
    assertThat(heard).isEmpty();
    return events;
  }

  private void drain() throws BusAwayException {
    while (relay.relay() > 0) {
      // until there is nothing
    }
  }

  @Test
  void every_notice_becomes_an_event_once_and_they_can_be_put_in_order() throws Exception {
    var accepted = notice(ORDER, 1, 0, "order.accepted", BODY.formatted("ACCEPTED"));
    var failed = notice(ORDER, 7, 0, "order.failed", BODY.formatted("FAILED"));
    var refunded = notice(ORDER, 7, 1, "order.refunded", BODY.formatted("FAILED"));
    var cancelled = notice("cancel-" + ORDER, 3, 0, "order.failed", BODY.formatted("FAILED"));
    write(null, accepted, failed);
    write(null, failed, refunded, cancelled);

    var events = published(4);
    assertThat(events)
        .extracting(CloudEvent::id)
        .containsExactly(
            ORDER + "/1/0", ORDER + "/7/0", ORDER + "/7/1", "cancel-" + ORDER + "/3/0");
    assertThat(events).extracting(CloudEvent::sequence).isSorted().doesNotHaveDuplicates();
    assertThat(events).allMatch(it -> it.subject().equals(ORDER));
    assertThat(events.getFirst().data().path("order_id").asString()).isEqualTo(ORDER);
    assertThat(events.getFirst().data().path("status").asString()).isEqualTo("ACCEPTED");
  }

  @Test
  void what_a_ride_says_about_its_job_is_told_as_it_is() throws Exception {
    var body = "{\"kind\":\"ride\",\"job_id\":\"J-1\",\"attempts\":2,\"method\":\"callback\"}";
    write(Duration.ofSeconds(60), notice(ORDER, 2, 0, "order.job_id_retrieved", body));

    var data = published(1).getFirst().data();
    assertThat(data.path("job_id").asString()).isEqualTo("J-1");
    assertThat(data.path("attempts").asInt()).isEqualTo(2);
  }

  @Test
  void what_the_engine_says_and_what_is_about_no_order_stays_inside() throws Exception {
    write(
        null,
        notice(ORDER, 2, 0, "saga.held", "{}"),
        notice("ref_1", 2, 0, "support.refund", "{}"));
    assertThat(published(0)).isEmpty();
    long waiting = tables.read("count", book::waiting);
    assertThat(waiting).isZero();
  }

  @Test
  void an_inventory_that_is_driven_by_messages_is_told_of_orders() throws Exception {
    var minute = Duration.ofSeconds(60);
    write(minute, notice(ORDER, 1, 0, "order.accepted", BODY.formatted("ACCEPTED")));
    write(minute, notice(ORDER, 9, 0, "order.confirmed", BODY.formatted("CONFIRMED")));
    assertThat(published(4))
        .extracting(CloudEvent::type)
        .containsExactlyInAnyOrder(
            "order.accepted", "ORDER_CREATED", "order.confirmed", "ORDER_CONFIRMED");
  }

  @Test
  void an_order_whose_creation_could_not_be_told_in_time_has_timed_out() throws Exception {
    bus.away(true);
    write(
        Duration.ofSeconds(60), notice(ORDER, 1, 0, "order.accepted", BODY.formatted("ACCEPTED")));
    clock.pass(Duration.ofSeconds(61));
    new TimeoutWorker(tables, book, BusWatch.NONE, clock).expire();
    bus.away(false);

    assertThat(published(2))
        .extracting(CloudEvent::type)
        .containsExactlyInAnyOrder("order.accepted", "ORDER_TIMEOUT");
  }

  @Test
  void a_declined_payment_is_told_to_the_inventory_and_another_failure_is_not() throws Exception {
    var minute = Duration.ofSeconds(60);
    var declined =
        "{\"kind\":\"checkout\",\"status\":\"FAILED\",\"reason\":{\"code\":\"payment_declined\"}}";
    var poor =
        "{\"kind\":\"checkout\",\"status\":\"FAILED\",\"reason\":"
            + "{\"code\":\"insufficient_funds\",\"step\":\"charge\"}}";
    var soldOut =
        "{\"kind\":\"checkout\",\"status\":\"FAILED\",\"reason\":"
            + "{\"code\":\"payment_declined\",\"step\":\"commit-stock\"}}";
    write(minute, notice(ORDER, 4, 0, "order.failed", poor));
    write(minute, notice(ORDER.replace("s", "t"), 5, 0, "order.failed", declined));
    write(minute, notice(ORDER.replace("s", "v"), 5, 0, "order.failed", soldOut));
    write(minute, notice(ORDER, 6, 0, "order.failed", BODY.formatted("FAILED")));
    assertThat(published(6))
        .extracting(it -> it.type() + " " + it.subject().charAt(it.subject().length() - 1))
        .containsExactlyInAnyOrder(
            "order.failed s",
            "order.failed s",
            "order.failed t",
            "order.failed v",
            "PAYMENT_FAILED s",
            "PAYMENT_FAILED t");
  }
}
