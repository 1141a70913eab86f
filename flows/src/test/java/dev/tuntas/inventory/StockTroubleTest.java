package dev.tuntas.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.inventory.Goods.Line;
import dev.tuntas.inventory.Goods.Lines;
import dev.tuntas.inventory.Inventory.Movement;
import dev.tuntas.inventory.Inventory.Request;
import dev.tuntas.money.Money;
import dev.tuntas.saga.Outcome;
import dev.tuntas.store.Tables;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What is answered when the database is in trouble.
class StockTroubleTest {

  private static final Instant NOW = Instant.parse("2027-01-01T12:00:00Z");
  private static final Request ORDER =
      new Request("o-1", new Lines(List.of(new Line("A", 1))), null);

  private final Tables tables = Tables.inMemory(StockRoom.TABLES);
  private final StockList list = new StockList(tables, () -> NOW, StockSettings.defaults());

  @BeforeEach
  void fill() {
    list.putItem("A", 10, new Money(50_000, "IDR"));
  }

  @AfterEach
  void close() {
    tables.close();
  }

  /// A database whose commits go through or not, and end in an exception.
  private record Troubled(Tables tables, Kind kind, boolean commits) implements Tables {

    @Override
    public <T> T read(String attempted, Work<T> work) {
      throw new StoreException(kind, attempted, null);
    }

    @Override
    public <T> T write(String attempted, Work<T> work) {
      if (commits) tables.write(attempted, work);
      throw new StoreException(kind, attempted, null);
    }

    @Override
    public void close() {}
  }

  private StockRoom roomOf(Tables tables) {
    return new StockRoom(tables, () -> NOW, StockSettings.defaults());
  }

  @Test
  void a_commit_that_may_have_happened_is_unclear_and_asking_again_tells() {
    assertThat(roomOf(new Troubled(tables, Kind.UNKNOWN, true)).commit(ORDER, "k"))
        .isInstanceOf(Outcome.Unclear.class);

    assertThat(roomOf(tables).commit(ORDER, "k"))
        .isEqualTo(Outcome.done(new Movement("o-1", "committed")));
    assertThat(list.item("A").orElseThrow().committed()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"NOT_DONE", "BLOCKED"})
  void what_certainly_did_not_happen_can_be_repeated(Kind kind) {
    var outcome = roomOf(new Troubled(tables, kind, false)).commit(ORDER, "k");

    assertThat(outcome)
        .isEqualTo(
            Outcome.unavailableHere("stock_unavailable", "The stock's database did not answer."));
  }

  @ParameterizedTest
  @EnumSource(names = {"BAD_DATA", "UNUSABLE"})
  void a_bug_is_not_an_answer(Kind kind) {
    var room = roomOf(new Troubled(tables, kind, false));

    assertThatThrownBy(() -> room.commit(ORDER, "k")).isInstanceOf(StoreException.class);
  }

  @Test
  void prices_that_cannot_be_read_are_unavailable() {
    var troubled =
        new StockList(
            new Troubled(tables, Kind.NOT_DONE, false), () -> NOW, StockSettings.defaults());

    assertThat(troubled.quote(ORDER.goods()))
        .isEqualTo(
            Outcome.unavailableHere("stock_unavailable", "The stock's database did not answer."));
  }
}
