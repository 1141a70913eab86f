package dev.tuntas.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.areas.AdmissionDecision.Available;
import dev.tuntas.areas.Area;
import dev.tuntas.areas.AreaBook;
import dev.tuntas.areas.AreaLoad;
import dev.tuntas.areas.AreaRules;
import dev.tuntas.areas.Geofence;
import dev.tuntas.areas.SlotLimit;
import dev.tuntas.engine.SagaStore.Shape;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write;
import dev.tuntas.inventory.Goods;
import dev.tuntas.money.Money;
import dev.tuntas.saga.Notice;
import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.Stores;
import dev.tuntas.testservers.CountedWire;
import dev.tuntas.testservers.TestPostgres;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How often PostgreSQL is waited for until an order is accepted: where it is far away, that is how
/// long it takes.
class PostgresTripsIT {

  private static final Instant NOW = Instant.parse("2026-11-16T05:00:00Z");
  private static final Contact CONTACT = new Contact("a@example.com", null, "id");

  private CountedWire wire;
  private Stores stores;
  private OrderBook book;
  private int node;
  private int kind;
  private int count;

  @BeforeEach
  void open() {
    wire = new CountedWire(TestPostgres.newDatabase());
    stores = Stores.postgres(PostgresSettings.of(wire.url(), null, null));
    stores.tables(AreaBook.TABLES).ping();
    book = new OrderBook(stores.tables(OrderBook.TABLES));
    stores.accompany(book);
    node = stores.sagas().join("n");
    kind = stores.sagas().register(Set.of(new Shape("s", 1, "h"))).values().iterator().next();
    accept(orders(1)); // connects
  }

  @AfterEach
  void close() throws IOException {
    stores.close();
    wire.close();
  }

  private NewOrder order(@Nullable Contact contact, @Nullable Available admitted) {
    var wish = Order.Wish.of(List.of(new Goods.Line("SKU-1", 2)), "cart-9", "pm_ok");
    return new NewOrder(
        "shop",
        "key-" + count++,
        "f",
        Order.Kind.CHECKOUT,
        "cus-1",
        wish,
        new Money(20_000, "IDR"),
        contact,
        null,
        admitted,
        null);
  }

  private List<NewOrder> orders(int number) {
    return IntStream.range(0, number)
        .mapToObj(i -> order(i % 2 == 0 ? CONTACT : null, null))
        .toList();
  }

  private BitSet accept(List<NewOrder> orders) {
    return stores.sagas().commit(node, batch(orders));
  }

  private List<Write> batch(List<NewOrder> orders) {
    var batch = new ArrayList<Write>();
    for (var order : orders) {
      var saga = saga("saga-" + order.key() + "-" + count++);
      book.expect(saga.id(), order);
      batch.add(saga);
    }
    return batch;
  }

  private Write.Insert saga(String id) {
    return new Write.Insert(
        id,
        kind,
        Status.RUNNING,
        0,
        null,
        NOW,
        "ready",
        "{}",
        "accepted",
        List.of(new Notice("t", "{}")),
        NOW);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 64})
  void orders_are_accepted_with_three_waits_however_many_come_together(int number) {
    var orders = orders(number);
    int before = wire.trips();
    assertThat(accept(orders).cardinality()).isEqualTo(number);
    assertThat(wire.trips() - before).isEqualTo(3);
    var first = orders.getFirst();
    assertThat(book.known(first.client(), first.key())).isPresent();
  }

  @Test
  void a_key_is_looked_up_with_one_wait() {
    book.known("shop", "nobody's"); // connects
    int before = wire.trips();
    book.known("shop", "nobody's");
    assertThat(wire.trips() - before).isEqualTo(1);
  }

  @Test
  void a_known_key_leaves_nothing_of_its_order_but_the_first_one() {
    var order = order(CONTACT, null);
    assertThat(accept(List.of(order)).cardinality()).isEqualTo(1);
    var id = book.known("shop", order.key()).orElseThrow().orderId();
    assertThat(accept(List.of(order, order(CONTACT, null))).cardinality()).isEqualTo(1);
    assertThat(book.known("shop", order.key()).orElseThrow().orderId()).isEqualTo(id);
    var everything = new OrderBook.Filter(null, null, null, null);
    assertThat(book.list(everything, null, false, "~", 10)).hasSize(3); // and the one that connects
  }

  @Test
  void a_commit_that_was_in_doubt_is_sent_again_and_takes_nothing_away() {
    var order = order(CONTACT, null);
    var batch = batch(List.of(order));
    assertThat(stores.sagas().commit(node, batch).cardinality()).isEqualTo(1);
    assertThat(stores.sagas().commit(node, batch).isEmpty()).isTrue();
    assertThat(book.line(batch.getFirst().id())).isPresent();
    assertThat(book.known("shop", order.key())).isPresent();
  }

  @Test
  void rides_take_their_slots_with_four_more() {
    accept(List.of(order(CONTACT, admitted())));
    var rides = List.of(order(CONTACT, admitted()), order(null, admitted()));
    int before = wire.trips();
    assertThat(accept(rides).cardinality()).isEqualTo(2);
    assertThat(wire.trips() - before).isEqualTo(7);
  }

  private static Available admitted() {
    var fence = Geofence.box(-6.3, 106.8, -6.2, 106.9);
    var area = new Area("JKT", "Jakarta", fence, List.of(), new TreeSet<>(Area.SERVICES), 0, true);
    var load = new AreaLoad(area, "RIDE", AreaRules.defaults(), null, 0, null, 0);
    return new Available(load, new SlotLimit(100, Long.MAX_VALUE, NOW.plusSeconds(60), true));
  }
}
