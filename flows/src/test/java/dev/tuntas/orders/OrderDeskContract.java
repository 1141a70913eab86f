package dev.tuntas.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Engine;
import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.Ruling;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.StepView;
import dev.tuntas.inventory.Goods;
import dev.tuntas.money.Money;
import dev.tuntas.orders.OrderDesk.Receipt;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.store.JacksonDataCodec;
import dev.tuntas.store.Stores;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The order desk, on whatever database.
abstract class OrderDeskContract {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration CALL = Duration.ofSeconds(5);
  private static final long BETWEEN = Duration.ofMillis(2).toNanos();
  private static final OrderBook.Filter ANY = new OrderBook.Filter(null, null, null, null);

  /// The same database each time.
  abstract Stores openStores();

  private final FakeServices services = new FakeServices();
  private final List<OrderEvent> heard = new CopyOnWriteArrayList<>();
  private final List<String> stuck = new CopyOnWriteArrayList<>();
  private volatile InstantSource clock = InstantSource.system();
  private Stores stores;
  private OrderBook book;
  private Engine engine;
  private OrderDesk desk;

  @BeforeEach
  void open() {
    open(false, Duration.ofHours(24), CALL);
  }

  private void open(boolean reserveFirst, Duration giveUp, Duration call) {
    stores = openStores();
    var tables = stores.tables(OrderBook.TABLES);
    book = new OrderBook(tables);
    stores.accompany(book);
    var settings = new OrderSagas.Settings(giveUp, giveUp, 3, 3, call, Duration.ofMillis(50));
    var sagas = new OrderSagas(services, services, services, settings);
    var board =
        new Noticeboard(tables, book, List.of((_, event) -> heard.add(event)), (_, _) -> {});
    var codec = new JacksonDataCodec();
    engine =
        EngineSetup.on(stores.sagas(), stores.outbox(), codec)
            .define(sagas.all().toArray(SagaDefinition[]::new))
            .publishTo(board)
            .listener(new Listening())
            .open();
    var ids = new OrderIds(InstantSource.system(), new Random(1));
    var reader = new OrderReader(stores, codec, sagas);
    desk =
        new OrderDesk(
            engine,
            reader,
            book,
            ids,
            sagas,
            reserveFirst,
            _ -> {
              throw new AssertionError("no rides here");
            },
            () -> clock.instant());
  }

  private final class Listening implements EngineListener {
    @Override
    public void stuck(SagaDefinition<?> saga, String id, long version, Failure why) {
      Stuck.of(id, version, why, clock.instant()).ifPresent(it -> stuck.add(it.eventId()));
    }
  }

  private void reopen(boolean reserveFirst, Duration giveUp) {
    close();
    open(reserveFirst, giveUp, CALL);
  }

  @AfterEach
  void close() {
    engine.close();
    stores.close();
  }

  private static NewOrder checkout(String client, String key, String print, String method) {
    var wish = Order.Wish.of(List.of(new Goods.Line("SKU-1", 2)), "cart-9", method);
    return new NewOrder(
        client, key, print, Order.Kind.CHECKOUT, "cus-1", wish, new Money(20_000, "IDR"), null);
  }

  private static NewOrder booking(String key, String method) {
    var stay = new Goods.Stay("ROOM-STD", 1, LocalDate.of(2027, 1, 10), LocalDate.of(2027, 1, 12));
    return new NewOrder(
        "shop",
        key,
        "f",
        Order.Kind.BOOKING,
        "cus-1",
        Order.Wish.of(stay, method),
        new Money(900_000, "IDR"),
        new Contact("a@example.com", null, "id"));
  }

  private String place(NewOrder order) throws InterruptedException {
    assertThat(desk.place(order)).isInstanceOf(Receipt.Placed.class);
    return ((Receipt.Placed) desk.place(order)).orderId();
  }

  private OrderView ended(String id) throws InterruptedException {
    return desk.await(id, SOON).orElseThrow();
  }

  @Test
  void an_order_is_charged_taken_and_confirmed() throws Exception {
    var id = place(checkout("shop", "k1", "f", "pm_ok"));
    var view = ended(id);

    assertThat(view.standing().status()).isEqualTo("CONFIRMED");
    assertThat(view.standing().message()).isEqualTo("Order Confirmed!");
    assertThat(view.paid()).isEqualTo(new Money(20_000, "IDR"));
    assertThat(services.calls)
        .containsExactly("charge charge-" + id, "commit commit-" + id, "clear clear-" + id);
    assertThat(view.steps()).extracting(StepView::state).containsOnly(StepView.State.DONE);
    assertThat(view.steps().getFirst().attempts()).isEqualTo(1);
    assertThat(view.steps().getFirst().firstSentAt()).isNotNull();
  }

  @Test
  void a_bank_can_say_no_in_words_that_look_like_our_own() throws Exception {
    var view = ended(place(checkout("shop", "k1", "f", "pm_poor")));

    assertThat(view.standing().status()).isEqualTo("FAILED");
    assertThat(view.standing().reason().code()).isEqualTo("insufficient_funds");
    assertThat(view.standing().reason().isPayment()).isTrue();
    assertThat(view.paid().amount()).isZero();
    assertThat(view.steps())
        .extracting(StepView::state)
        .containsExactly(StepView.State.FAILED, StepView.State.SKIPPED, StepView.State.SKIPPED);
  }

  @Test
  void a_declined_card_is_a_clear_failure_and_nothing_else_is_called() throws Exception {
    var view = ended(place(checkout("shop", "k1", "f", "pm_declined")));

    assertThat(view.standing().status()).isEqualTo("FAILED");
    assertThat(view.standing().reason().code()).isEqualTo("payment_declined");
    assertThat(view.paid().amount()).isZero();
    assertThat(services.calls).hasSize(1);
    assertThat(view.steps())
        .extracting(StepView::state)
        .containsExactly(StepView.State.FAILED, StepView.State.SKIPPED, StepView.State.SKIPPED);
  }

  @Test
  void goods_that_somebody_else_was_paid_for_are_not_given_away() throws Exception {
    var placed =
        List.of(
            place(checkout("shop", "k1", "f", "outside")),
            place(checkout("shop", "k2", "f", "Outside")),
            place(booking("k3", "outside")));
    for (var id : placed) {
      var standing = ended(id).standing();
      assertThat(standing.status()).isEqualTo("FAILED");
      assertThat(standing.reason().code()).isEqualTo("payment_method_invalid");
    }
    assertThat(services.calls).noneMatch(call -> call.matches("(charge|refund|commit|confirm) .*"));
  }

  @Test
  void an_order_whose_state_cannot_be_stored_is_told_of_and_needs_a_person() throws Exception {
    var id = place(checkout("shop", "k1", "f", "pm_endless"));
    until(() -> book.line(id).orElseThrow().needsAttention());
    var event = heard.getFirst();
    assertThat(event.type()).isEqualTo(OrderEvent.MANUAL_ACTION);
    assertThat(event.alert()).isEqualTo("STATUS_UPDATE_FAILED");
    assertThat(event.kind()).isEqualTo("checkout");
    assertThat(event.total()).isEqualTo(new Money(20_000, "IDR"));
    assertThat(stuck).containsExactly(event.eventId());
  }

  @Test
  void what_is_sold_out_is_refunded_under_its_own_key() throws Exception {
    services.stock.set(0);
    var id = place(checkout("shop", "k1", "f", "pm_ok"));
    var view = ended(id);

    assertThat(view.standing().status()).isEqualTo("FAILED");
    assertThat(view.standing().reason().code()).isEqualTo("out_of_stock");
    assertThat(view.refunded()).isEqualTo(new Money(20_000, "IDR"));
    assertThat(services.calls).contains("refund refund-" + id);
    assertThat(view.steps().getFirst().state()).isEqualTo(StepView.State.UNDONE);
  }

  @Test
  void reserved_first_nobody_is_charged_for_what_is_not_there() throws Exception {
    reopen(true, Duration.ofHours(1));
    services.stock.set(0);
    var view = ended(place(checkout("shop", "k1", "f", "pm_ok")));

    assertThat(view.standing().status()).isEqualTo("FAILED");
    assertThat(services.calls).noneMatch(call -> call.startsWith("charge"));
  }

  @Test
  void a_lost_reply_is_asked_about_under_the_same_key_and_told_as_recovered() throws Exception {
    var id = place(booking("k1", "pm_lost_reply"));
    var view = ended(id);

    assertThat(view.standing().status()).isEqualTo("CONFIRMED");
    assertThat(view.standing().recoveryConfirmed()).isTrue();
    assertThat(services.calls)
        .containsExactly(
            "reserve booking-" + id,
            "keep keep-" + id,
            "charge booking-" + id,
            "charge booking-" + id,
            "confirm confirm-" + id);
  }

  @Test
  void the_same_key_is_one_order_and_another_body_is_refused() throws Exception {
    var first = place(checkout("shop", "k1", "f", "pm_ok"));

    assertThat(place(checkout("shop", "k1", "f", "pm_ok"))).isEqualTo(first);
    assertThat(desk.known("shop", "k1", "f")).contains(new Receipt.Placed(first, true));
    assertThat(desk.place(checkout("shop", "k1", "other", "pm_ok")))
        .isEqualTo(new Receipt.KeyReused());
    assertThat(place(checkout("another", "k1", "f", "pm_ok"))).isNotEqualTo(first);
    assertThat(book.list(ANY, null, false, "p", 10)).hasSize(2);
  }

  @Test
  void twenty_at_once_are_one_order() throws Exception {
    var requests = new ArrayList<Callable<Receipt>>();
    for (int i = 0; i < 20; i++) {
      requests.add(() -> desk.place(checkout("shop", "same", "f", "pm_ok")));
    }
    var ids = new HashSet<String>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var future : threads.invokeAll(requests)) {
        if (future.get() instanceof Receipt.Placed placed) ids.add(placed.orderId());
      }
    }
    assertThat(ids).hasSize(1);
    ended(ids.iterator().next());
    assertThat(services.calls.stream().filter(call -> call.startsWith("charge"))).hasSize(1);
  }

  @Test
  void keys_and_orders_outlive_the_process() throws Exception {
    var id = place(booking("k1", "pm_ok"));
    ended(id);
    reopen(false, Duration.ofHours(1));

    assertThat(place(booking("k1", "pm_ok"))).isEqualTo(id);
    assertThat(desk.find(id).orElseThrow().standing().status()).isEqualTo("CONFIRMED");
    var tables = stores.tables(OrderBook.TABLES);
    var contact = tables.read("contact", session -> book.contact(session, id));
    assertThat(contact).contains(new Contact("a@example.com", null, "id"));
  }

  @Test
  void a_charge_that_stays_unclear_is_never_released_and_a_person_decides() throws Exception {
    close();
    open(false, Duration.ofMillis(300), Duration.ofSeconds(2));
    var charged = place(booking("k1", "pm_never"));
    var notCharged = place(booking("k2", "pm_never"));
    untilHeld(charged);
    untilHeld(notCharged);

    var held = desk.find(charged).orElseThrow();
    assertThat(held.standing().status()).isEqualTo("FAILED");
    assertThat(held.standing().needsAttention()).isTrue();
    assertThat(held.standing().message()).isEqualTo("We are checking your payment by hand");
    assertThat(services.calls).noneMatch(call -> call.startsWith("release"));

    engine.rule(charged, ruling(Ruling.Kind.HAPPENED, held.version()));
    assertThat(ended(charged).standing().status()).isEqualTo("CONFIRMED");
    assertThat(ended(charged).paid()).isEqualTo(new Money(900_000, "IDR"));
    ruleWhenQuiet(notCharged);
    assertThat(ended(notCharged).standing().status()).isEqualTo("FAILED");
    assertThat(services.calls).contains("release release-" + notCharged);
  }

  @Test
  void what_a_person_found_to_be_charged_is_refunded_when_nothing_is_left() throws Exception {
    reopen(false, Duration.ofMillis(300));
    services.stock.set(0);
    var id = place(checkout("shop", "k1", "f", "pm_never"));
    untilHeld(id);
    engine.rule(id, ruling(Ruling.Kind.HAPPENED, desk.find(id).orElseThrow().version()));

    var view = ended(id);
    assertThat(view.standing().status()).isEqualTo("FAILED");
    assertThat(view.paid()).isEqualTo(new Money(20_000, "IDR"));
    assertThat(view.refunded()).isEqualTo(new Money(20_000, "IDR"));
    assertThat(services.calls).containsOnlyOnce("refund refund-" + id);
  }

  /// "It did not happen" is believed only once no call can be under way.
  private void ruleWhenQuiet(String id) throws Exception {
    until(
        () -> {
          var version = desk.find(id).orElseThrow().version();
          var name = engine.rule(id, ruling(Ruling.Kind.DID_NOT_HAPPEN, version));
          return engine.verdict(name, SOON).orElseThrow().startsWith("applied");
        });
  }

  private static Ruling ruling(Ruling.Kind kind, long version) {
    return new Ruling(kind, "ani", "looked at the bank's statement", "statement 7", version);
  }

  private void untilHeld(String id) throws Exception {
    until(() -> desk.find(id).orElseThrow().standing().needsAttention());
    until(
        () ->
            heard.stream()
                .anyMatch(
                    event ->
                        event.orderId().equals(id)
                            && "MANUAL_RECONCILIATION_REQUIRED".equals(event.alert())));
    until(() -> book.line(id).orElseThrow().needsAttention());
  }

  private void untilLastIs(String type) throws Exception {
    until(() -> !heard.isEmpty() && heard.getLast().type().equals(type));
  }

  private static void until(Callable<Boolean> condition) throws Exception {
    var end = Instant.now().plus(SOON);
    while (!condition.call()) {
      assertThat(Instant.now()).isBefore(end);
      LockSupport.parkNanos(BETWEEN);
    }
  }

  /// What a cancellation comes to: that may take longer than whoever asks for it waits.
  private OrderDesk.Cancel decision(String id) throws InterruptedException {
    var end = Instant.now().plus(SOON);
    var decision = desk.cancel(id, "shop");
    while (decision == OrderDesk.Cancel.UNDER_WAY) {
      assertThat(Instant.now()).isBefore(end);
      decision = desk.cancel(id, "shop");
    }
    return decision;
  }

  @Test
  void ended_orders_are_found_by_their_status() throws Exception {
    var confirmed = place(checkout("shop", "k1", "f", "pm_ok"));
    var failed = place(checkout("shop", "k2", "f", "pm_declined"));
    ended(confirmed);
    ended(failed);
    until(() -> book.list(ANY, "FAILED", false, "p", 10).size() == 1);
    until(() -> book.list(ANY, "CONFIRMED", false, "p", 10).size() == 1);

    assertThat(book.line(failed).orElseThrow().reason().code()).isEqualTo("payment_declined");
    assertThat(book.list(ANY, null, true, "p", 10)).isEmpty();
  }

  @Test
  void a_cancelled_order_fails_and_a_confirmed_one_cannot_be_cancelled() throws Exception {
    var late = place(checkout("shop", "k1", "f", "pm_ok"));
    ended(late);
    assertThat(desk.cancel(late, "shop")).isEqualTo(OrderDesk.Cancel.TOO_LATE);

    var early = place(booking("k2", "pm_never"));
    until(() -> desk.find(early).orElseThrow().standing().status().equals("PAYMENT_SENT"));
    assertThat(desk.cancel(early, "shop")).isEqualTo(OrderDesk.Cancel.UNDER_WAY);
  }

  @Test
  void a_booking_that_recovery_confirmed_can_still_be_cancelled_once() throws Exception {
    var id = place(booking("k1", "pm_lost_reply"));
    assertThat(ended(id).standing().recoveryConfirmed()).isTrue();

    desk.cancel(id, "shop");
    until(() -> desk.find(id).orElseThrow().standing().status().equals("FAILED"));
    assertThat(decision(id)).isEqualTo(OrderDesk.Cancel.DONE);
    var view = desk.find(id).orElseThrow();
    assertThat(view.standing().reason().code()).isEqualTo("CANCELLED_BY_USER");
    assertThat(view.refunded()).isEqualTo(new Money(900_000, "IDR"));
    assertThat(services.calls).containsOnlyOnce("release release-" + id, "refund refund-" + id);
    until(() -> "FAILED".equals(book.line(id).orElseThrow().status()));
  }

  @Test
  void a_booking_that_is_being_cancelled_is_listed_as_open_and_in_the_end_as_what_it_is()
      throws Exception {
    var id = place(booking("k1", "pm_lost_reply"));
    ended(id);
    until(() -> "CONFIRMED".equals(book.line(id).orElseThrow().status()));
    services.releaseUnclear = true;

    assertThat(desk.cancel(id, "shop")).isEqualTo(OrderDesk.Cancel.UNDER_WAY);
    assertThat(desk.find(id).orElseThrow().standing().status()).isEqualTo("REFUND_PENDING");
    until(() -> book.line(id).orElseThrow().status() == null);
    assertThat(book.list(ANY, "CONFIRMED", false, "p", 10)).isEmpty();
    assertThat(book.list(ANY, null, true, "p", 10)).extracting(it -> it.id()).containsExactly(id);

    services.releaseUnclear = false;
    until(() -> "FAILED".equals(book.line(id).orElseThrow().status()));
    var line = book.line(id).orElseThrow();
    var standing = desk.find(id).orElseThrow().standing();
    assertThat(line.reason()).isEqualTo(standing.reason());
    assertThat(line.recoveryConfirmed()).isEqualTo(standing.recoveryConfirmed());
    assertThat(heard)
        .extracting(it -> it.type() + " " + it.status())
        .endsWith("order.moved REFUND_PENDING", "order.failed FAILED", "order.refunded FAILED");
  }

  @Test
  void a_day_later_it_cannot_however_often_that_is_asked() throws Exception {
    var id = place(booking("k1", "pm_lost_reply"));
    assertThat(ended(id).standing().recoveryConfirmed()).isTrue();
    var ruling = engine.rule(id, Ruling.retry("ani", "to see whether it moves"));
    assertThat(engine.verdict(ruling, SOON)).isPresent();

    var confirmed = desk.find(id).orElseThrow().confirmedAt();
    clock = InstantSource.fixed(confirmed.plus(Duration.ofHours(24)).plusMillis(1));
    var version = desk.find(id).orElseThrow().version();
    assertThat(desk.cancel(id, "shop")).isEqualTo(OrderDesk.Cancel.TOO_LATE);
    assertThat(desk.cancel(id, "shop")).isEqualTo(OrderDesk.Cancel.TOO_LATE);
    assertThat(desk.find(id).orElseThrow().version()).isEqualTo(version);
    assertThat(services.calls).noneMatch(call -> call.startsWith("release"));
  }

  @Test
  void a_cancellation_that_is_given_up_leaves_the_booking_confirmed() throws Exception {
    var id = place(booking("k1", "pm_lost_reply"));
    ended(id);
    services.releaseRefused = true;

    desk.cancel(id, "shop");
    assertThat(engine.await("cancel-" + id, SOON)).contains(Status.UNDONE);
    untilLastIs("order.moved");
    until(() -> "CONFIRMED".equals(book.line(id).orElseThrow().status()));
    assertThat(book.line(id).orElseThrow().recoveryConfirmed()).isTrue();
    assertThat(heard).extracting(OrderEvent::type).containsOnlyOnce("order.confirmed");
    assertThat(desk.find(id).orElseThrow().standing().status()).isEqualTo("CONFIRMED");
    assertThat(decision(id)).isEqualTo(OrderDesk.Cancel.TOO_LATE);
    assertThat(services.calls).noneMatch(call -> call.startsWith("refund"));
  }

  @Test
  void a_refund_that_is_left_undone_is_not_called_no_charge() throws Exception {
    services.stock.set(0);
    services.refundRefused = true;
    var id = place(checkout("shop", "k1", "f", "pm_ok"));
    until(() -> desk.find(id).orElseThrow().standing().needsAttention());
    engine.rule(id, ruling(Ruling.Kind.GIVE_UP, desk.find(id).orElseThrow().version()));

    var view = ended(id);
    assertThat(view.standing().status()).isEqualTo("FAILED");
    assertThat(view.paid()).isEqualTo(new Money(20_000, "IDR"));
    assertThat(view.standing().message()).doesNotContain("not charged");
  }

  @Test
  void what_a_person_left_undone_is_told_when_the_order_ends() throws Exception {
    reopen(true, Duration.ofHours(1));
    services.releaseRefused = true;
    var id = place(checkout("shop", "k1", "f", "pm_declined"));
    until(() -> desk.find(id).orElseThrow().standing().needsAttention());
    engine.rule(id, ruling(Ruling.Kind.GIVE_UP, desk.find(id).orElseThrow().version()));

    assertThat(ended(id).standing().status()).isEqualTo("FAILED");
    untilLastIs(OrderEvent.FAILED);
    assertThat(heard.getLast().leftUndone()).containsExactly("reserve");
  }

  @Test
  void keys_of_ended_orders_are_forgotten_and_those_of_open_ones_are_not() throws Exception {
    var ended = place(checkout("shop", "k1", "f", "pm_ok"));
    place(booking("k2", "pm_never"));
    ended(ended);
    until(() -> book.line(ended).orElseThrow().status() != null);

    assertThat(book.forgetKeys(Instant.now().plusSeconds(1), 100)).isEqualTo(1);
    assertThat(desk.known("shop", "k1", "f")).isEmpty();
    assertThat(desk.known("shop", "k2", "f")).isPresent();
    assertThat(place(checkout("shop", "k1", "other", "pm_ok"))).isNotEqualTo(ended);
  }

  @Test
  void what_ended_long_ago_is_forgotten_with_its_contact() throws Exception {
    var ended = place(booking("k1", "pm_ok"));
    var open = place(booking("k2", "pm_never"));
    ended(ended);
    until(() -> book.line(ended).orElseThrow().status() != null);

    assertThat(book.forgetOrders(Instant.now().minusSeconds(60), 100)).isZero();
    assertThat(book.forgetOrders(Instant.now().plusSeconds(1), 100)).isEqualTo(1);
    assertThat(book.line(ended)).isEmpty();
    assertThat(book.line(open)).isPresent();
    var contact =
        stores.tables(OrderBook.TABLES).read("contact", session -> book.contact(session, ended));
    assertThat(contact).isEmpty();
  }

  @Test
  void a_key_is_kept_as_long_after_the_end_of_its_order_as_after_its_first_use() throws Exception {
    var id = place(booking("k1", "pm_lost_reply"));
    var placed = ended(id).createdAt();
    until(() -> book.line(id).orElseThrow().status() != null);

    assertThat(book.forgetKeys(placed.plusMillis(1), 100)).isZero();
    assertThat(book.forgetKeys(Instant.now().plusSeconds(1), 100)).isEqualTo(1);
  }

  @Test
  void a_final_answer_is_noted_once() throws Exception {
    place(checkout("shop", "k1", "f", "pm_ok"));
    book.told("shop", "k1", 201);
    book.told("shop", "k1", 409);
    assertThat(book.known("shop", "k1").orElseThrow().answer()).isEqualTo(201);
  }
}
