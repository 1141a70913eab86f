package dev.tuntas.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.inventory.Goods.Line;
import dev.tuntas.inventory.Goods.Lines;
import dev.tuntas.inventory.Goods.Stay;
import dev.tuntas.inventory.Inventory.Movement;
import dev.tuntas.inventory.Inventory.Request;
import dev.tuntas.inventory.Inventory.Reservation;
import dev.tuntas.money.Money;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.store.Tables;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every inventory promises, wherever its tables are and however it is reached.
public abstract class InventoryContract {

  protected static final Instant START = Instant.parse("2027-01-01T12:00:00Z");
  private static final LocalDate TODAY = LocalDate.parse("2027-01-01");
  private static final Money PRICE = new Money(50_000, "IDR");
  private static final Duration TTL = Duration.ofMinutes(15);

  private Instant now = START;
  private Tables tables;
  private StockRoom room;
  private StockList list;
  private Inventory inventory;

  protected abstract Tables open();

  /// The way from here to the stock room.
  protected Inventory reach(StockRoom room) {
    return room;
  }

  @BeforeEach
  void fill() {
    tables = open();
    room = new StockRoom(tables, () -> now, StockSettings.defaults());
    list = new StockList(tables, () -> now, StockSettings.defaults());
    inventory = reach(room);
    list.putItem("A", 10, PRICE);
    list.putItem("B", 5, new Money(1_000, "IDR"));
    list.putRoom("R", 2, PRICE);
  }

  @AfterEach
  void nothing_is_lost_and_nothing_is_sold_twice() {
    assertThat(new StockAudit(tables).violations()).isEmpty();
    tables.close();
  }

  private static Request of(String order, Line... lines) {
    return new Request(order, new Lines(Arrays.asList(lines)), null);
  }

  private static Line line(String sku, int quantity) {
    return new Line(sku, quantity);
  }

  private static Request stay(String order, int rooms, int from, int to) {
    return new Request(order, new Stay("R", rooms, TODAY.plusDays(from), TODAY.plusDays(to)), null);
  }

  private static <T> T done(Outcome<T> outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Succeeded.class);
    return ((Outcome.Succeeded<T>) outcome).data();
  }

  private static Movement moved(String order, String result) {
    return new Movement(order, result);
  }

  private static void declined(Outcome<?> outcome, String code) {
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    var failure = ((Outcome.Failed<?>) outcome).failure();
    assertThat(failure).isInstanceOf(Failure.Declined.class);
    assertThat(failure.code()).isEqualTo(code);
    assertThat(failure.detail()).endsWith(".");
  }

  /// Available, held and committed.
  private List<Long> item(String sku) {
    var view = list.item(sku).orElseThrow();
    return List.of(view.available(), view.held(), view.committed());
  }

  private List<Long> night(int day) {
    var view = list.room("R", TODAY.plusDays(day)).orElseThrow();
    return List.of(view.available(), view.held(), view.committed());
  }

  @Test
  void a_reservation_holds_for_a_quarter_of_an_hour() {
    var reservation = done(inventory.reserve(of("o-1", line("A", 3), line("B", 1)), "booking-1"));

    assertThat(reservation)
        .isEqualTo(new Reservation("rsv_o-1", now.plus(TTL), new Money(151_000, "IDR")));
    assertThat(item("A")).containsExactly(7L, 3L, 0L);
    assertThat(item("B")).containsExactly(4L, 1L, 0L);

    assertThat(room.expire(now.plus(TTL).minusMillis(1), 10)).isZero();
    assertThat(room.expire(now.plus(TTL), 10)).isEqualTo(1);
    assertThat(item("A")).containsExactly(10L, 0L, 0L);
  }

  @Test
  void the_total_is_what_was_frozen_even_when_prices_have_changed() {
    list.putItem("A", 10, new Money(99_000, "IDR"));
    var frozen = new Request("o-1", new Lines(List.of(line("A", 2))), new Money(100_000, "IDR"));

    assertThat(done(inventory.reserve(frozen, "k")).total()).isEqualTo(new Money(100_000, "IDR"));
  }

  @Test
  void a_repeated_key_holds_once_and_gives_the_same_answer() {
    var first = done(inventory.reserve(of("o-1", line("A", 3)), "k"));
    now = now.plusSeconds(60);

    assertThat(done(inventory.reserve(of("o-1", line("A", 3)), "k"))).isEqualTo(first);
    assertThat(item("A")).containsExactly(7L, 3L, 0L);
  }

  @Test
  void lines_of_one_item_are_added_up_and_their_order_means_nothing() {
    declined(inventory.commit(of("o-1", line("A", 6), line("A", 5)), "k-1"), "out_of_stock");
    done(inventory.commit(of("o-2", line("B", 1), line("A", 2)), "k-2"));

    assertThat(done(inventory.commit(of("o-2", line("A", 2), line("B", 1)), "k-2")))
        .isEqualTo(moved("o-2", "committed"));
    assertThat(item("A")).containsExactly(8L, 0L, 2L);
  }

  @Test
  void a_key_that_was_used_for_something_else_is_refused() {
    done(inventory.reserve(of("o-1", line("A", 3)), "k"));

    declined(inventory.reserve(of("o-1", line("A", 4)), "k"), "idempotency_key_reused");
    declined(inventory.reserve(of("o-2", line("A", 3)), "k"), "idempotency_key_reused");
    assertThat(item("A")).containsExactly(7L, 3L, 0L);
    done(inventory.commit(of("o-2", line("A", 1)), "k")); // another operation, another key
  }

  @Test
  void a_key_of_a_release_is_refused_for_another_order() {
    done(inventory.commit(of("o-1", line("A", 1)), "c-1"));
    done(inventory.commit(of("o-2", line("A", 1)), "c-2"));
    done(inventory.release("o-1", "k"));

    declined(inventory.release("o-2", "k"), "idempotency_key_reused");
    assertThat(item("A")).containsExactly(9L, 0L, 1L);
    assertThat(done(inventory.release("o-2", "k-2"))).isEqualTo(moved("o-2", "released"));
  }

  @Test
  void all_lines_are_held_or_none() {
    declined(inventory.reserve(of("o-1", line("A", 3), line("B", 6)), "k"), "out_of_stock");

    assertThat(item("A")).containsExactly(10L, 0L, 0L);
    assertThat(item("B")).containsExactly(5L, 0L, 0L);
  }

  @Test
  void a_decline_is_remembered_so_that_a_late_repetition_takes_nothing() {
    done(inventory.commit(of("o-1", line("A", 8)), "k-1"));
    declined(inventory.commit(of("o-2", line("A", 3)), "k-2"), "out_of_stock");
    done(inventory.release("o-1", "r-1"));

    declined(inventory.commit(of("o-2", line("A", 3)), "k-2"), "out_of_stock");
    assertThat(done(inventory.commit(of("o-2", line("A", 3)), "k-3")))
        .isEqualTo(moved("o-2", "committed"));
  }

  @Test
  void what_is_unknown_is_declined() {
    declined(inventory.reserve(of("o-1", line("X", 1)), "k"), "sku_unknown");
    declined(inventory.commit(of("o-1", line("A", 1), line("X", 1)), "k"), "sku_unknown");
    declined(
        inventory.reserve(
            new Request("o-1", new Stay("X", 1, TODAY, TODAY.plusDays(1)), null), "k-2"),
        "room_unknown");
    assertThat(item("A")).containsExactly(10L, 0L, 0L);
  }

  @Test
  void commit_takes_in_one_step() {
    assertThat(done(inventory.commit(of("o-1", line("A", 10)), "k")))
        .isEqualTo(moved("o-1", "committed"));

    assertThat(item("A")).containsExactly(0L, 0L, 10L);
    declined(inventory.commit(of("o-2", line("A", 1)), "k-2"), "out_of_stock");
  }

  @Test
  void commit_takes_what_is_held_and_gives_back_the_rest() {
    done(inventory.reserve(of("o-1", line("A", 10), line("B", 2)), "k"));

    done(inventory.commit(of("o-1", line("A", 4)), "k"));
    assertThat(item("A")).containsExactly(6L, 0L, 4L);
    assertThat(item("B")).containsExactly(5L, 0L, 0L);
  }

  @Test
  void goods_are_taken_once_even_under_two_keys() {
    done(inventory.commit(of("o-1", line("A", 4)), "k-1"));

    assertThat(done(inventory.commit(of("o-1", line("A", 4)), "k-2")))
        .isEqualTo(moved("o-1", "already_committed"));
    assertThat(done(inventory.confirm(of("o-1", line("A", 4)), "k-3")))
        .isEqualTo(moved("o-1", "already_confirmed"));
    assertThat(item("A")).containsExactly(6L, 0L, 4L);
  }

  @Test
  void what_was_taken_is_not_held_again() {
    done(inventory.commit(of("o-1", line("A", 4)), "k-1"));

    done(inventory.reserve(of("o-1", line("A", 4)), "k-2"));
    assertThat(item("A")).containsExactly(6L, 0L, 4L);
  }

  @Test
  void a_release_gives_back_what_is_held_or_taken_exactly_once() {
    done(inventory.commit(of("o-1", line("A", 4)), "k-1"));
    done(inventory.reserve(of("o-2", line("A", 2)), "k-2"));

    assertThat(done(inventory.release("o-1", "r-1"))).isEqualTo(moved("o-1", "released"));
    assertThat(done(inventory.release("o-2", "r-2"))).isEqualTo(moved("o-2", "released"));
    assertThat(done(inventory.release("o-1", "r-1"))).isEqualTo(moved("o-1", "already_released"));
    assertThat(done(inventory.release("o-1", "r-3"))).isEqualTo(moved("o-1", "already_released"));
    assertThat(item("A")).containsExactly(10L, 0L, 0L);
  }

  @Test
  void after_a_release_nothing_can_be_had_any_more_even_if_it_came_first() {
    assertThat(done(inventory.release("o-1", "r"))).isEqualTo(moved("o-1", "released"));

    declined(inventory.reserve(of("o-1", line("A", 1)), "k"), "released");
    declined(inventory.keep(of("o-1", line("A", 1)), "k"), "released");
    declined(inventory.confirm(of("o-1", line("A", 1)), "k"), "released");
    declined(inventory.commit(of("o-1", line("A", 1)), "k"), "released");
    assertThat(item("A")).containsExactly(10L, 0L, 0L);
  }

  @Test
  void an_answer_of_before_the_release_is_not_repeated() {
    done(inventory.reserve(of("o-1", line("A", 1)), "k"));
    done(inventory.release("o-1", "r"));

    declined(inventory.reserve(of("o-1", line("A", 1)), "k"), "released");
  }

  @Test
  void what_is_kept_does_not_expire_and_nothing_makes_it_expire_again() {
    done(inventory.reserve(of("o-1", line("A", 3)), "k-1"));

    var kept = done(inventory.keep(of("o-1", line("A", 3)), "k-2"));
    assertThat(kept.expiresAt()).isNull();
    assertThat(kept.total()).isEqualTo(new Money(150_000, "IDR"));
    assertThat(done(inventory.reserve(of("o-1", line("A", 3)), "k-3")).expiresAt()).isNull();
    assertThat(room.expire(now.plus(Duration.ofDays(9)), 10)).isZero();
    assertThat(item("A")).containsExactly(7L, 3L, 0L);
  }

  @Test
  void what_has_expired_is_kept_anew_or_declined() {
    done(inventory.reserve(stay("o-1", 2, 1, 3), "k-1"));
    room.expire(now.plus(TTL), 10);
    done(inventory.keep(stay("o-1", 2, 1, 3), "k-2"));
    assertThat(night(1)).containsExactly(0L, 2L, 0L);

    done(inventory.reserve(stay("o-2", 2, 4, 5), "k-3"));
    room.expire(now.plus(TTL), 10);
    done(inventory.commit(stay("o-3", 1, 4, 5), "k-4"));
    declined(inventory.keep(stay("o-2", 2, 4, 5), "k-5"), "out_of_stock");
  }

  @Test
  void what_has_expired_is_confirmed_anew_or_declined() {
    done(inventory.reserve(of("o-1", line("B", 3)), "k-1"));
    done(inventory.reserve(of("o-2", line("B", 2)), "k-2"));
    room.expire(now.plus(TTL), 10);
    done(inventory.commit(of("o-3", line("B", 3)), "k-3"));

    declined(inventory.confirm(of("o-1", line("B", 3)), "k-1"), "out_of_stock");
    assertThat(done(inventory.confirm(of("o-2", line("B", 2)), "k-2")))
        .isEqualTo(moved("o-2", "confirmed"));
  }

  @Test
  void a_hold_that_is_late_but_still_there_can_be_renewed() {
    done(inventory.reserve(of("o-1", line("A", 3)), "k-1"));
    now = now.plus(TTL);

    assertThat(done(inventory.reserve(of("o-1", line("A", 3)), "k-2")).expiresAt())
        .isEqualTo(now.plus(TTL));
    assertThat(room.expire(now, 10)).isZero();
    assertThat(item("A")).containsExactly(7L, 3L, 0L);
  }

  @Test
  void expiry_takes_no_more_orders_than_it_may_and_the_oldest_first() {
    done(inventory.reserve(of("o-1", line("A", 1)), "k-1"));
    now = now.plusSeconds(1);
    done(inventory.reserve(of("o-2", line("A", 2)), "k-2"));

    assertThat(room.expire(now.plus(TTL), 1)).isEqualTo(1);
    assertThat(item("A")).containsExactly(8L, 2L, 0L);
  }

  @Test
  void a_stay_has_every_night_or_none_and_the_day_of_leaving_is_free() {
    done(inventory.reserve(stay("o-1", 2, 2, 4), "k-1"));
    assertThat(night(1)).containsExactly(2L, 0L, 0L);
    assertThat(night(2)).containsExactly(0L, 2L, 0L);
    assertThat(night(3)).containsExactly(0L, 2L, 0L);
    assertThat(night(4)).containsExactly(2L, 0L, 0L);

    declined(inventory.reserve(stay("o-2", 1, 1, 3), "k-2"), "out_of_stock");
    assertThat(night(1)).containsExactly(2L, 0L, 0L);
    var next = done(inventory.reserve(stay("o-3", 1, 4, 7), "k-3"));
    assertThat(next.total()).isEqualTo(new Money(150_000, "IDR"));
    done(inventory.confirm(stay("o-1", 2, 2, 4), "k-1"));
    assertThat(night(3)).containsExactly(0L, 0L, 2L);
  }

  @Test
  void a_stay_has_one_to_thirty_nights_none_of_them_in_the_past() {
    declined(inventory.reserve(stay("o-1", 1, 2, 2), "k"), "time_invalid");
    declined(inventory.reserve(stay("o-1", 1, 2, 33), "k"), "time_invalid");
    declined(inventory.reserve(stay("o-2", 1, -1, 2), "k-2"), "time_invalid");
    done(inventory.reserve(stay("o-1", 1, 0, 30), "k"));
  }

  @Test
  void what_was_reserved_before_midnight_is_so_when_its_answer_is_asked_for_after_it() {
    var held = done(inventory.reserve(stay("o-1", 1, 0, 2), "k"));
    now = now.plus(Duration.ofDays(1));

    assertThat(done(inventory.reserve(stay("o-1", 1, 0, 2), "k"))).isEqualTo(held);
    declined(inventory.reserve(stay("o-2", 1, 0, 2), "k-2"), "time_invalid");
  }

  @Test
  void a_stay_that_has_begun_can_still_be_confirmed() {
    done(inventory.reserve(stay("o-1", 1, 0, 2), "k"));
    now = now.plus(Duration.ofDays(1));

    assertThat(done(inventory.confirm(stay("o-1", 1, 0, 2), "k")).result()).isEqualTo("confirmed");
  }
}
