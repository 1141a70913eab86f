package dev.tuntas.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.money.Money;
import dev.tuntas.notify.Channel.Audience;
import dev.tuntas.notify.Channel.Receipt;
import dev.tuntas.notify.DeadDeliveries.Fate;
import dev.tuntas.notify.Message.Alert;
import dev.tuntas.notify.Message.CustomerNotice;
import dev.tuntas.notify.Message.Topic;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CourierTest {

  /// A channel that does as it is told.
  static final class Pipe implements Channel {

    final List<Parcel> got = new CopyOnWriteArrayList<>();
    private final Audience audience;
    Receipt answer = new Receipt.Sent();
    boolean throwsUp;

    Pipe(Audience audience) {
      this.audience = audience;
    }

    @Override
    public String name() {
      return audience == Audience.SUPPORT ? "slack" : "webhook";
    }

    @Override
    public Audience audience() {
      return audience;
    }

    @Override
    public Receipt send(Parcel parcel) {
      got.add(parcel);
      if (throwsUp) throw new IllegalStateException("the pipe broke");
      return answer;
    }

    List<String> causes() {
      return got.stream().map(Parcel::cause).toList();
    }
  }

  private static final CourierSettings SETTINGS =
      new CourierSettings(
          4,
          Duration.ofSeconds(2),
          Duration.ofMinutes(1),
          Duration.ofSeconds(30),
          50,
          5,
          Duration.ofDays(30));

  final Tables tables = tables();
  final Pipe slack = new Pipe(Audience.SUPPORT);
  final Pipe webhook = new Pipe(Audience.CUSTOMER);
  private final Postbox postbox = new Postbox(List.of(slack, webhook));
  private final DeadDeliveries dead = new DeadDeliveries();
  Instant now = Instant.parse("2026-11-16T02:00:00Z");

  Tables tables() {
    return Tables.inMemory(TableSet.of("support"));
  }

  @AfterEach
  void close() {
    tables.close();
  }

  Courier courier(Channel channel) {
    return new Courier(tables, channel, SETTINGS, () -> now, () -> now, new SplittableRandom(7));
  }

  private void pass(Duration time) {
    now = now.plus(time);
  }

  void alert(String cause) {
    var alert =
        new Alert(
            "Manual Refund Required",
            "tic_1",
            "ord_1",
            "FAILED",
            "why",
            "PAID",
            new Money(150_000, "IDR"),
            List.of("look"),
            "High",
            "Within 24 hours");
    tables.write(
        "post",
        session -> {
          postbox.alert(session, cause, alert, now);
          return true;
        });
  }

  private void notice(String cause) {
    var notice =
        new CustomerNotice(Topic.CONFIRMED, "ord_1", "booking", "CONFIRMED", null, null, now);
    tables.write(
        "post",
        session -> {
          postbox.tell(session, cause, notice, now);
          return true;
        });
  }

  private List<Long> deadNos() {
    return tables.read("look", session -> dead.list(session, null, Long.MAX_VALUE, 100)).stream()
        .map(DeadDeliveries.DeadDelivery::no)
        .toList();
  }

  private String only(String column) {
    return tables.read(
        "look",
        session ->
            session
                .first("select " + column + " from support_delivery", row -> row.getString(1))
                .orElse("nothing"));
  }

  @Test
  void what_is_posted_twice_is_sent_once() {
    alert("tic_1");
    alert("tic_1");
    var courier = courier(slack);
    assertThat(courier.deliverDue()).isEqualTo(1);
    pass(Duration.ofDays(1));
    assertThat(courier.deliverDue()).isZero();
    alert("tic_1");
    assertThat(courier.deliverDue()).isZero();
    assertThat(slack.causes()).containsExactly("tic_1");
    assertThat(slack.got.getFirst().messages())
        .first()
        .extracting(message -> ((Alert) message).amountText())
        .isEqualTo("Rp 150,000");
  }

  @Test
  void what_is_rolled_back_is_never_sent() {
    try {
      tables.write(
          "post and fail",
          session -> {
            postbox.tell(
                session,
                "c",
                new CustomerNotice(Topic.FAILED, "o", "checkout", "FAILED", null, null, now),
                now);
            throw new IllegalStateException("the consumer failed");
          });
    } catch (IllegalStateException expected) {
      assertThat(expected).hasMessage("the consumer failed");
    }
    assertThat(courier(webhook).deliverDue()).isZero();
  }

  @Test
  void each_audience_has_its_own_channels() {
    alert("tic_1");
    notice("e-1");
    assertThat(courier(slack).deliverDue()).isEqualTo(1);
    assertThat(courier(webhook).deliverDue()).isEqualTo(1);
    assertThat(webhook.causes()).containsExactly("e-1");
  }

  @Test
  void a_channel_that_fails_is_tried_again_with_the_same_cause_and_not_at_once() {
    alert("tic_1");
    slack.throwsUp = true;
    var courier = courier(slack);
    assertThat(courier.deliverDue()).isEqualTo(1);
    assertThat(courier.deliverDue()).as("it rests").isZero();
    slack.throwsUp = false;
    pass(Duration.ofSeconds(2));
    assertThat(courier.deliverDue()).isEqualTo(1);
    assertThat(slack.causes()).containsExactly("tic_1", "tic_1");
    pass(Duration.ofHours(1));
    assertThat(courier.deliverDue()).isZero();
  }

  @Test
  void a_channel_that_asks_for_time_gets_it_and_nothing_else_is_tried_meanwhile() {
    alert("tic_1");
    alert("tic_2");
    slack.answer = new Receipt.Later("429", Duration.ofSeconds(40));
    var courier = courier(slack);
    courier.deliverDue();
    assertThat(slack.causes()).containsExactly("tic_1");
    slack.answer = new Receipt.Sent();
    pass(Duration.ofMillis(39_999));
    assertThat(courier.deliverDue()).isZero();
    pass(Duration.ofSeconds(2));
    courier.deliverDue();
    assertThat(slack.causes()).containsExactlyInAnyOrder("tic_1", "tic_1", "tic_2");
  }

  @Test
  void after_the_last_attempt_it_is_a_dead_letter_that_can_be_replayed() {
    alert("tic_1");
    slack.answer = new Receipt.Later("500", null);
    var courier = courier(slack);
    for (int i = 0; i < 10; i++) {
      courier.deliverDue();
      pass(Duration.ofMinutes(2));
    }
    assertThat(slack.got).hasSize(4);
    assertThat(deadNos()).hasSize(1);
    assertThat(only("error")).isEqualTo("500");

    slack.answer = new Receipt.Sent();
    long no = deadNos().getFirst();
    assertThat(tables.<Fate>write("replay", s -> dead.replay(s, no, now))).isEqualTo(Fate.DONE);
    assertThat(tables.<Fate>write("replay", s -> dead.replay(s, no, now))).isEqualTo(Fate.ALREADY);
    courier.deliverDue();
    assertThat(tables.<Fate>write("replay", s -> dead.replay(s, no, now))).isEqualTo(Fate.ALREADY);
    courier.deliverDue();
    assertThat(slack.causes()).hasSize(5).containsOnly("tic_1");
    assertThat(deadNos()).isEmpty();
  }

  @Test
  void what_is_refused_for_good_is_dead_at_once_and_may_be_discarded() {
    alert("tic_1");
    slack.answer = new Receipt.Refused("404 no such hook");
    courier(slack).deliverDue();
    long no = deadNos().getFirst();
    assertThat(tables.<Integer>read("count", s -> dead.count(s, "slack"))).isEqualTo(1);
    assertThat(tables.<Fate>write("discard", s -> dead.discard(s, no, now))).isEqualTo(Fate.DONE);
    assertThat(tables.<Fate>write("discard", s -> dead.discard(s, no, now)))
        .isEqualTo(Fate.ALREADY);
    assertThat(tables.<Fate>write("replay", s -> dead.replay(s, no, now)))
        .isEqualTo(Fate.NOT_POSSIBLE);
    assertThat(tables.<Fate>write("replay", s -> dead.replay(s, 999, now))).isEqualTo(Fate.UNKNOWN);
    alert("tic_1");
    assertThat(courier(slack).deliverDue()).as("its cause is spent").isZero();
  }

  @Test
  void nobody_to_send_to_is_an_end_and_no_failure() {
    notice("e-1");
    webhook.answer = new Receipt.Nobody("no address");
    courier(webhook).deliverDue();
    assertThat(deadNos()).isEmpty();
    assertThat(only("sent_at")).isNotNull();
  }

  @Test
  void a_process_that_died_while_sending_is_made_good_by_another_after_a_while() {
    alert("tic_1");
    // What is left behind by one that died between its claim and the answer.
    tables.write(
        "claim",
        session -> {
          var deliveries = new Deliveries("slack");
          return deliveries.claim(session, deliveries.due(session, now, 1), now.plusSeconds(30));
        });
    assertThat(courier(slack).deliverDue()).isZero();
    pass(Duration.ofSeconds(30));
    assertThat(courier(slack).deliverDue()).isEqualTo(1);
  }

  @Test
  void a_delivery_that_kills_its_process_each_time_is_buried() {
    alert("tic_1");
    var deliveries = new Deliveries("slack");
    for (int i = 0; i < 4; i++) {
      tables.write(
          "claim", s -> deliveries.claim(s, deliveries.due(s, now, 1), now.plusSeconds(30)));
      pass(Duration.ofSeconds(30));
    }
    courier(slack).deliverDue();
    assertThat(slack.got).isEmpty();
    assertThat(deadNos()).hasSize(1);
  }

  @Test
  void a_text_that_nobody_can_read_harms_no_other() {
    alert("tic_1");
    tables.write("damage", s -> s.update("update support_delivery set body = '{'"));
    alert("tic_2");
    courier(slack).deliverDue();
    assertThat(slack.causes()).containsExactly("tic_2");
    assertThat(deadNos()).hasSize(1);
  }

  @Test
  void a_flood_of_alerts_is_sent_together_and_none_is_lost() {
    for (int i = 0; i < 120; i++) alert("tic_" + i);
    var courier = courier(slack);
    var perMinute = new ArrayList<Integer>();
    for (int minute = 0; minute < 5; minute++) {
      int before = slack.got.size();
      for (int look = 0; look < 10; look++) courier.deliverDue();
      perMinute.add(slack.got.size() - before);
      pass(Duration.ofSeconds(61));
    }
    assertThat(perMinute).allMatch(parcels -> parcels <= 5);
    assertThat(slack.got.stream().mapToInt(parcel -> parcel.messages().size()).sum())
        .isEqualTo(120);
    assertThat(slack.got.getFirst().messages()).hasSize(1);
    assertThat(deadNos()).isEmpty();
  }

  @Test
  void what_was_sent_long_ago_is_forgotten_and_what_is_dead_is_not() {
    alert("tic_1");
    var courier = courier(slack);
    courier.deliverDue();
    slack.answer = new Receipt.Refused("no");
    alert("tic_2");
    courier.deliverDue();
    pass(Duration.ofDays(30).minusSeconds(1));
    courier.deliverDue();
    assertThat(only("count(*)")).isEqualTo("2");
    pass(Duration.ofMinutes(1));
    courier.deliverDue();
    assertThat(only("cause")).isEqualTo("tic_2");
  }

  @Test
  void customers_are_told_one_by_one_however_many_they_are() {
    for (int i = 0; i < 30; i++) notice("e-" + i);
    courier(webhook).deliverDue();
    assertThat(webhook.got).hasSize(30).allMatch(parcel -> parcel.messages().size() == 1);
  }
}
