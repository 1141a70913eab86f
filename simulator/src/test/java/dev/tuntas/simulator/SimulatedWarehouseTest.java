package dev.tuntas.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.engine.StoreException;
import dev.tuntas.inventory.Goods;
import dev.tuntas.inventory.Inventory;
import dev.tuntas.inventory.Inventory.Request;
import dev.tuntas.money.Money;
import dev.tuntas.saga.Outcome;
import dev.tuntas.simulator.Effect.Unit;
import dev.tuntas.store.Tables;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SimulatedWarehouseTest {

  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");
  private static final Money TOTAL = new Money(300, "IDR");
  private static final Request TEA =
      new Request("o-1", new Goods.Lines(List.of(new Goods.Line("SKU-1", 2))), TOTAL);
  private static final Request ROOM =
      new Request(
          "o-2",
          new Goods.Stay("ROOM-STD", 1, LocalDate.of(2027, 1, 10), LocalDate.of(2027, 1, 12)),
          TOTAL);

  private final Weather weather = new Weather(new Random(1), _ -> {});
  private final Tables tables = Tables.inMemory(SimulatedWarehouse.TABLES);
  private final Endless stock = new Endless();
  private final SimulatedWarehouse warehouse =
      new SimulatedWarehouse(stock, tables, weather, InstantSource.fixed(NOW));

  /// Stock that never ends, unless it is empty.
  private static final class Endless implements Inventory {
    private int calls;
    private boolean empty;

    private <T> Outcome<T> answer(T done) {
      calls++;
      return empty ? Outcome.declined("out_of_stock", "nothing left") : Outcome.done(done);
    }

    @Override
    public Outcome<Reservation> reserve(Request request, String key) {
      return answer(new Reservation("res-" + key, NOW, TOTAL));
    }

    @Override
    public Outcome<Reservation> keep(Request request, String key) {
      return answer(new Reservation("res-" + key, null, TOTAL));
    }

    @Override
    public Outcome<Movement> confirm(Request request, String key) {
      return answer(new Movement(request.orderId(), "confirmed"));
    }

    @Override
    public Outcome<Movement> commit(Request request, String key) {
      return answer(new Movement(request.orderId(), "committed"));
    }

    @Override
    public Outcome<Movement> release(String orderId, String key) {
      return answer(new Movement(orderId, "released"));
    }
  }

  @AfterEach
  void close() {
    tables.close();
  }

  private List<Effect> ledger() {
    var entries = new ArrayList<Effect>();
    new Effects(tables).each(entries::add);
    return entries;
  }

  @Test
  void every_effect_is_in_the_ledger_with_its_goods() {
    warehouse.commit(TEA, "commit-o-1");
    warehouse.reserve(ROOM, "booking-o-2");
    warehouse.keep(ROOM, "booking-o-2");
    warehouse.confirm(ROOM, "booking-o-2");
    warehouse.release("o-1", "release-o-1");

    var nights = List.of(new Unit("ROOM-STD 2027-01-10", 1), new Unit("ROOM-STD 2027-01-11", 1));
    assertThat(ledger())
        .containsExactly(
            new Effect(
                NOW,
                "commit",
                "commit-o-1",
                "o-1",
                TOTAL,
                "committed",
                List.of(new Unit("SKU-1", 2))),
            new Effect(NOW, "reserve", "booking-o-2", "o-2", TOTAL, "reserved", nights),
            new Effect(NOW, "keep", "booking-o-2", "o-2", TOTAL, "kept", nights),
            new Effect(NOW, "confirm", "booking-o-2", "o-2", TOTAL, "confirmed", nights),
            new Effect(NOW, "release", "release-o-1", "o-1", null, "released", List.of()));
  }

  @Test
  void a_repeated_key_is_one_entry() {
    warehouse.commit(TEA, "k");
    warehouse.commit(TEA, "k");

    assertThat(ledger()).hasSize(1);
  }

  @Test
  void what_is_declined_is_no_effect() {
    stock.empty = true;

    assertThat(warehouse.commit(TEA, "k")).isInstanceOf(Outcome.Failed.class);
    assertThat(ledger()).isEmpty();
  }

  @Test
  void a_lost_reply_is_in_the_ledger() {
    weather.change(Map.of("lost_reply_rate", 1));

    assertThat(warehouse.commit(TEA, "k")).isInstanceOf(Outcome.Unclear.class);
    assertThat(ledger()).hasSize(1);
  }

  @Test
  void a_warehouse_that_is_down_is_not_reached() {
    weather.change(Map.of("down", true));

    assertThat(warehouse.release("o-1", "k")).isInstanceOf(Outcome.Failed.class);
    assertThat(stock.calls).isZero();
  }

  @Test
  void an_effect_that_could_not_be_entered_is_not_answered_until_it_is() {
    tables.read("break", session -> session.update("alter table ledger rename to gone"));
    assertThatThrownBy(() -> warehouse.commit(TEA, "k")).isInstanceOf(StoreException.class);

    tables.read("repair", session -> session.update("alter table gone rename to ledger"));
    assertThat(warehouse.commit(TEA, "k")).isInstanceOf(Outcome.Succeeded.class);
    assertThat(ledger()).hasSize(1);
  }
}
