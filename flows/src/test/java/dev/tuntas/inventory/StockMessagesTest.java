package dev.tuntas.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.bus.Attempts.Patience;
import dev.tuntas.bus.BusAwayException;
import dev.tuntas.bus.BusWatch;
import dev.tuntas.bus.CloudEvent;
import dev.tuntas.bus.DeadMessages;
import dev.tuntas.bus.MemoryBus;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.MessageBook;
import dev.tuntas.bus.MessageRelay;
import dev.tuntas.bus.Once;
import dev.tuntas.bus.Recent;
import dev.tuntas.bus.TestClock;
import dev.tuntas.bus.TimeoutWorker;
import dev.tuntas.inventory.Inventory.Movement;
import dev.tuntas.inventory.Inventory.Request;
import dev.tuntas.money.Money;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.store.Tables;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An inventory that is driven by messages, with a broker that comes and goes.
@Timeout(30)
class StockMessagesTest {

  private static final Money PRICE = new Money(10_000, "IDR");
  private static final MessageInventory.Settings SETTINGS =
      new MessageInventory.Settings(
          Duration.ofSeconds(60), Duration.ofMillis(10), Duration.ofSeconds(30));

  @TempDir Path folder;

  private final TestClock clock = new TestClock();
  private final MessageBook book = new MessageBook();
  private final BlockingQueue<CloudEvent> answers = new LinkedBlockingQueue<>();
  private MemoryBus bus;
  private Tables tables;
  private Tables stock;
  private StockRoom room;
  private StockList list;
  private StockReplies replies;
  private MessageInventory inventory;
  private MessageRelay relay;
  private TimeoutWorker worker;
  private volatile boolean broken;

  /// The room, whose releases fail while it is broken.
  private final class Stock implements Inventory {
    @Override
    public Outcome<Reservation> reserve(Request request, String key) {
      return room.reserve(request, key);
    }

    @Override
    public Outcome<Reservation> keep(Request request, String key) {
      return room.keep(request, key);
    }

    @Override
    public Outcome<Movement> confirm(Request request, String key) {
      return room.confirm(request, key);
    }

    @Override
    public Outcome<Movement> commit(Request request, String key) {
      return room.commit(request, key);
    }

    @Override
    public Outcome<Movement> release(String orderId, String key) {
      if (broken) throw new IllegalStateException("the stock is broken");
      return room.release(orderId, key);
    }
  }

  @BeforeEach
  void begin() {
    bus = new MemoryBus(new Patience(3, Duration.ZERO, Duration.ofMillis(5)), BusWatch.NONE);
    tables = Tables.sqlite(folder.resolve("orders"), MessageBook.TABLES);
    stock = Tables.sqlite(folder.resolve("stock"), StockRoom.TABLES);
    room = new StockRoom(stock, clock, StockSettings.defaults());
    list = new StockList(stock, clock, StockSettings.defaults());
    list.putItem("tea", 5, PRICE);
    replies = new StockReplies(tables, clock);
    inventory = new MessageInventory(tables, book, replies, room, SETTINGS, clock);
    relay = new MessageRelay(tables, book, bus, clock, "here", Duration.ofDays(1));
    worker = new TimeoutWorker(tables, book, BusWatch.NONE, clock);
    new StockCommands(new Stock(), room, bus, clock).listen(once(StockCommands.QUEUE));
    replies.listen(bus, once(StockReplies.QUEUE));
    bus.listen("spy", StockReplies.KINDS, message -> answers.add(CloudEvent.read(message)));
  }

  private Once once(String queue) {
    return new Once(tables, queue, Recent.NONE, BusWatch.NONE, clock);
  }

  @AfterEach
  void end() {
    bus.close();
    assertThat(new StockAudit(stock).violations()).isEmpty();
    tables.close();
    stock.close();
  }

  private static Request tea(String order, int quantity) {
    var goods = new Goods.Lines(List.of(new Goods.Line("tea", quantity)));
    return new Request(order, goods, new Money(PRICE.amount() * quantity, "IDR"));
  }

  /// Asks, lets the relay carry it, and asks again until there is an answer.
  private Outcome<Inventory.Reservation> reserved(Request request) throws BusAwayException {
    var key = "reserve-" + request.orderId();
    var outcome = inventory.reserve(request, key);
    while (outcome instanceof Outcome.Unclear) {
      relay.relay();
      outcome = inventory.reserve(request, key);
    }
    return outcome;
  }

  private long available() {
    return list.item("tea").orElseThrow().available();
  }

  private void carry(Message message) throws Exception {
    bus.send(List.of(message));
  }

  private String nextAnswer(Class<?> type) throws Exception {
    var answer = answers.poll(20, TimeUnit.SECONDS);
    assertThat(answer).as("an answer").isNotNull();
    assertThat(answer.data(type)).isNotNull();
    return answer.data().path("result").asString("");
  }

  private Message about(String kind, String id, String order) {
    return CloudEvent.of(id, "/test", kind, order, clock.instant(), Map.of("order_id", order))
        .message(true, null);
  }

  private Message release(String id, String order, String key) {
    var wish = new StockMessages.Release(order, key);
    return CloudEvent.of(id, "/test", StockMessages.RELEASE, order, clock.instant(), wish)
        .message(true, null);
  }

  @Test
  void what_is_reserved_over_the_bus_is_held() throws Exception {
    assertThat(reserved(tea("ord_1", 2))).isInstanceOf(Outcome.Succeeded.class);
    assertThat(available()).isEqualTo(3);
    assertThat(reserved(tea("ord_1", 2))).isInstanceOf(Outcome.Succeeded.class);
    assertThat(available()).isEqualTo(3);
  }

  @Test
  void rooms_are_reserved_by_the_night() throws Exception {
    list.putRoom("suite", 1, PRICE);
    var night = LocalDate.parse("2026-03-05");
    var stay = new Goods.Stay("suite", 1, night, night.plusDays(2));
    var total = new Money(20_000, "IDR");

    assertThat(reserved(new Request("ord_1", stay, total))).isInstanceOf(Outcome.Succeeded.class);
    assertThat(reserved(new Request("ord_2", stay, total))).isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void too_little_is_declined_and_only_recorded() throws Exception {
    var outcome = reserved(tea("ord_1", 6));
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure().code()).isEqualTo("out_of_stock"));
    assertThat(available()).isEqualTo(5);
  }

  @Test
  void without_an_answer_it_is_unclear_and_stays_so() throws Exception {
    var first = inventory.reserve(tea("ord_1", 2), "reserve-ord_1");
    assertThat(first).isEqualTo(Outcome.pending("The inventory has not answered yet."));
    relay.relay();
    answers.take();
    clock.pass(Duration.ofHours(1));
    assertThat(worker.expire()).isZero();
    assertThat(reserved(tea("ord_1", 2))).isInstanceOf(Outcome.Succeeded.class);
  }

  @Test
  void a_reservation_that_did_not_go_out_in_time_is_declined_and_taken_back() throws Exception {
    bus.away(true);
    inventory.reserve(tea("ord_1", 2), "reserve-ord_1");
    clock.pass(Duration.ofSeconds(60));
    var outcome = inventory.reserve(tea("ord_1", 2), "reserve-ord_1");
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.Declined.class));

    bus.away(false);
    relay.relay();
    assertThat(nextAnswer(StockMessages.Released.class)).isEqualTo("released");
    assertThat(available()).isEqualTo(5);
    assertThat(inventory.reserve(tea("ord_1", 2), "reserve-ord_1")).isEqualTo(outcome);
  }

  @Test
  void while_the_broker_is_away_a_reservation_expires_although_the_relay_tries() throws Exception {
    bus.away(true);
    inventory.reserve(tea("ord_1", 2), "reserve-ord_1");
    for (int i = 0; i < 60; i++) {
      assertThatThrownBy(relay::relay).isInstanceOf(BusAwayException.class);
      clock.pass(Duration.ofSeconds(1));
    }
    assertThat(worker.expire()).isEqualTo(1);
    assertThat(inventory.reserve(tea("ord_1", 2), "reserve-ord_1"))
        .isInstanceOf(Outcome.Failed.class);

    bus.away(false);
    relay.relay();
    assertThat(nextAnswer(StockMessages.Released.class)).isEqualTo("released");
    assertThat(available()).isEqualTo(5);
  }

  /// The confirmation got lost, and the broker is away since.
  @Test
  void a_reservation_that_may_have_gone_out_is_given_up_by_the_order_and_undone() throws Exception {
    inventory.reserve(tea("ord_1", 2), "reserve-ord_1");
    tables.write("in doubt", s -> s.update("update bus_message set sent_at = 1"));
    bus.away(true);
    clock.pass(Duration.ofSeconds(60));
    assertThat(worker.expire()).isZero();
    assertThat(inventory.reserve(tea("ord_1", 2), "reserve-ord_1"))
        .isInstanceOf(Outcome.Failed.class);

    bus.away(false);
    relay.relay();
    assertThat(nextAnswer(StockMessages.Released.class)).isEqualTo("released");
    assertThat(available()).isEqualTo(5);
  }

  @Test
  void a_reservation_that_was_answered_stays_although_its_confirmation_got_lost() throws Exception {
    assertThat(reserved(tea("ord_1", 2))).isInstanceOf(Outcome.Succeeded.class);
    tables.write(
        "in doubt",
        s -> s.update("update bus_message set sent_at = 1, status = 'PENDING', ended_at = null"));
    clock.pass(Duration.ofSeconds(60));

    assertThat(inventory.reserve(tea("ord_1", 2), "reserve-ord_1"))
        .isInstanceOf(Outcome.Succeeded.class);
    assertThat(available()).isEqualTo(3);
  }

  @Test
  void an_answer_that_comes_after_the_reservation_was_given_up_changes_nothing() throws Exception {
    assertThat(reserved(tea("ord_1", 2))).isInstanceOf(Outcome.Succeeded.class);
    answers.take();
    tables.write(
        "in doubt",
        s -> s.update("update bus_message set sent_at = 1, status = 'PENDING', ended_at = null"));
    tables.write("not yet here", s -> s.update("update bus_reply set key = 'on its way'"));
    clock.pass(Duration.ofSeconds(60));
    var outcome = inventory.reserve(tea("ord_1", 2), "reserve-ord_1");
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    tables.write("here", s -> s.update("update bus_reply set key = 'reserve-ord_1'"));

    assertThat(inventory.reserve(tea("ord_1", 2), "reserve-ord_1")).isEqualTo(outcome);
    relay.relay();
    assertThat(nextAnswer(StockMessages.Released.class)).isEqualTo("released");
    assertThat(available()).isEqualTo(5);
  }

  /// A process that stood still gives it up, when another runs the order already and waits.
  @Test
  void an_answer_is_not_taken_if_the_reservation_was_given_up_during_the_wait() throws Exception {
    var patient =
        new MessageInventory.Settings(
            Duration.ofSeconds(60), Duration.ofSeconds(20), Duration.ofSeconds(30));
    var owner = new MessageInventory(tables, book, replies, room, patient, clock);
    var request = tea("ord_1", 2);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var outcome = threads.submit(() -> owner.reserve(request, "reserve-ord_1"));
      while (tables.write("in doubt", s -> s.update("update bus_message set sent_at = 1")) == 0) {
        LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
      }
      clock.pass(Duration.ofSeconds(60));
      assertThat(inventory.reserve(request, "reserve-ord_1")).isInstanceOf(Outcome.Failed.class);

      var wish = StockMessages.Reserve.of(request, "reserve-ord_1");
      carry(
          CloudEvent.of("late", "/test", StockMessages.RESERVE, "ord_1", clock.instant(), wish)
              .message(true, null));
      nextAnswer(StockMessages.Reserved.class);
      assertThat(outcome.get(20, TimeUnit.SECONDS)).isInstanceOf(Outcome.Failed.class);
    }

    relay.relay();
    assertThat(nextAnswer(StockMessages.Released.class)).isEqualTo("released");
    assertThat(available()).isEqualTo(5);
  }

  @Test
  void an_answer_that_got_lost_is_asked_for_again() throws Exception {
    inventory.reserve(tea("ord_1", 2), "reserve-ord_1");
    relay.relay();
    answers.take();
    while (tables.write("lose it", s -> s.update("delete from bus_reply")) == 0) {
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
    clock.pass(Duration.ofSeconds(31));
    inventory.reserve(tea("ord_1", 2), "reserve-ord_1");
    tables.write("forget it", s -> s.update("delete from bus_seen where queue = 'tuntas-orders'"));

    assertThat(reserved(tea("ord_1", 2))).isInstanceOf(Outcome.Succeeded.class);
    assertThat(available()).isEqualTo(3);
  }

  /// Asks, lets the relay carry it, and asks again until it was confirmed.
  private Movement released(String order) throws BusAwayException {
    while (true) {
      var outcome = inventory.release(order, "release-" + order);
      if (outcome instanceof Outcome.Succeeded<Movement>(var moved)) return moved;
      assertThat(outcome).isInstanceOf(Outcome.Unclear.class);
      relay.relay();
    }
  }

  @Test
  void a_release_counts_as_done_when_it_was_confirmed() throws Exception {
    reserved(tea("ord_1", 2));
    answers.take();
    bus.away(true);
    for (int i = 0; i < 3; i++) {
      assertThat(inventory.release("ord_1", "release-ord_1"))
          .isEqualTo(Outcome.pending("The inventory has not confirmed the release yet."));
    }
    assertThat(available()).isEqualTo(3);

    bus.away(false);
    clock.pass(Duration.ofHours(2));
    assertThat(released("ord_1")).isEqualTo(new Movement("ord_1", "released"));
    assertThat(available()).isEqualTo(5);
    assertThat(released("ord_1")).isEqualTo(new Movement("ord_1", "released"));
  }

  @Test
  void a_release_that_got_lost_is_sent_again() throws Exception {
    reserved(tea("ord_1", 2));
    answers.take();
    inventory.release("ord_1", "release-ord_1");
    tables.write(
        "lose it",
        s ->
            s.update(
                "update bus_message set status = 'PUBLISHED', ended_at = 1"
                    + " where kind = 'RELEASE'"));
    inventory.release("ord_1", "release-ord_1");
    assertThat(relay.relay()).isZero();
    clock.pass(Duration.ofSeconds(31));

    assertThat(released("ord_1")).isEqualTo(new Movement("ord_1", "released"));
    assertThat(available()).isEqualTo(5);
  }

  @Test
  void a_release_that_the_broker_refused_for_good_goes_out_when_it_is_asked_for_again()
      throws Exception {
    reserved(tea("ord_1", 2));
    inventory.release("ord_1", "release-ord_1");
    tables.write(
        "give it up",
        s ->
            s.update(
                "update bus_message set status = 'FAILED', dead = 1, ended_at = 1"
                    + " where kind = 'RELEASE'"));

    assertThat(released("ord_1")).isEqualTo(new Movement("ord_1", "released"));
    assertThat(available()).isEqualTo(5);
  }

  @Test
  void a_release_that_the_inventory_refuses_is_declined() throws Exception {
    room.release("ord_1", "release-1");
    var outcome = inventory.release("ord_2", "release-1");
    while (outcome instanceof Outcome.Unclear) {
      relay.relay();
      outcome = inventory.release("ord_2", "release-1");
    }

    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure().code()).isEqualTo("idempotency_key_reused"));
  }

  @Test
  void a_release_that_was_given_up_is_kept_and_replayed_with_the_same_id() throws Exception {
    reserved(tea("ord_1", 2));
    answers.take();
    var dead = new DeadMessages();
    DeadMessages.collect(bus, StockCommands.QUEUE, StockCommands.KINDS, tables);
    broken = true;
    inventory.release("ord_1", "release-ord_1");
    relay.relay();
    while (tables.read("look", dead::count) == 0) {
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
    assertThat(inventory.release("ord_1", "release-ord_1")).isInstanceOf(Outcome.Unclear.class);
    var kept = tables.read("look", s -> dead.list(s, 10)).getFirst();
    assertThat(kept.message().id()).isEqualTo("RELEASE/release-ord_1");
    assertThat(kept.message().queue()).isEqualTo(StockCommands.QUEUE);
    assertThat(available()).isEqualTo(3);

    broken = false;
    tables.write(
        "replay it",
        s -> {
          book.putAgain(s, kept.message().message(), clock.instant());
          return dead.remove(s, kept.pos());
        });
    assertThat(released("ord_1")).isEqualTo(new Movement("ord_1", "released"));
    assertThat(available()).isEqualTo(5);
  }

  @Test
  void a_duplicate_release_releases_once_and_is_answered_as_already_released() throws Exception {
    reserved(tea("ord_1", 2));
    answers.take();
    carry(release("r-1", "ord_1", "release-ord_1"));
    assertThat(nextAnswer(StockMessages.Released.class)).isEqualTo("released");
    carry(release("r-1", "ord_1", "release-ord_1"));
    carry(release("r-2", "ord_1", "release-again-ord_1"));
    assertThat(nextAnswer(StockMessages.Released.class)).isEqualTo("already_released");
    assertThat(available()).isEqualTo(5);
  }

  @Test
  void a_failed_payment_releases_even_what_is_kept() throws Exception {
    reserved(tea("ord_1", 2));
    answers.take();
    room.keep(tea("ord_1", 2), "keep-ord_1");
    carry(about(StockMessages.PAYMENT_FAILED, "p-1", "ord_1"));
    assertThat(nextAnswer(StockMessages.Released.class)).isEqualTo("released");
    assertThat(available()).isEqualTo(5);
  }

  @Test
  void an_order_that_timed_out_gives_back_what_it_holds() throws Exception {
    reserved(tea("ord_1", 2));
    answers.take();
    carry(about(StockMessages.ORDER_TIMEOUT, "t-1", "ord_1"));
    assertThat(nextAnswer(StockMessages.Released.class)).isEqualTo("released");
    assertThat(available()).isEqualTo(5);
  }

  @Test
  void an_order_that_is_being_paid_or_was_keeps_its_goods_whatever_timed_out() throws Exception {
    reserved(tea("ord_1", 2));
    answers.take();
    room.keep(tea("ord_1", 2), "keep-ord_1");
    carry(about(StockMessages.ORDER_TIMEOUT, "t-1", "ord_1"));
    assertThat(nextAnswer(StockMessages.Released.class)).isEqualTo("kept");
    room.commit(tea("ord_1", 2), "commit-ord_1");
    carry(about(StockMessages.ORDER_TIMEOUT, "t-2", "ord_1"));
    assertThat(nextAnswer(StockMessages.Released.class)).isEqualTo("kept");
    assertThat(available()).isEqualTo(3);
  }

  @Test
  void a_release_that_overtakes_its_reservation_wins() throws Exception {
    carry(release("r-1", "ord_1", "release-ord_1"));
    assertThat(nextAnswer(StockMessages.Released.class)).isEqualTo("released");
    assertThat(reserved(tea("ord_1", 2))).isInstanceOf(Outcome.Failed.class);
    assertThat(available()).isEqualTo(5);
  }

  @Test
  void commands_that_make_no_sense_are_dead_letters_and_hold_up_nobody() throws Exception {
    carry(Message.command("b-1", StockMessages.RESERVE, "ord_1", "not JSON"));
    carry(about(StockMessages.RESERVE, "b-2", "ord_1"));
    carry(
        CloudEvent.of("b-3", "/t", "RELEASE", "ord_1", clock.instant(), Map.of("order", "ord_1"))
            .message(true, null));
    carry(release("r-1", "ord_1", "release-ord_1"));

    nextAnswer(StockMessages.Released.class);
    assertThat(bus.deadLetters(StockCommands.QUEUE))
        .extracting(Message::id)
        .containsExactly("b-1", "b-2", "b-3");
  }
}
