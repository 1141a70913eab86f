package dev.tuntas.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.inventory.Goods.Line;
import dev.tuntas.inventory.Goods.Lines;
import dev.tuntas.inventory.Goods.Stay;
import dev.tuntas.inventory.Inventory.Movement;
import dev.tuntas.inventory.Inventory.Request;
import dev.tuntas.inventory.Inventory.Reservation;
import dev.tuntas.money.Money;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Failed;
import dev.tuntas.saga.Outcome.Succeeded;
import dev.tuntas.saga.Outcome.Unclear;
import dev.tuntas.store.Tables;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Thousands of random operations: the stock room and a simple model answer and count alike.
class StockModelTest {

  private static final int SEEDS = 60;
  private static final int OPERATIONS = 120;
  private static final LocalDate TODAY = LocalDate.parse("2027-01-01");
  private static final Money PRICE = new Money(50_000, "IDR");

  @Test
  void the_stock_room_and_the_model_agree() {
    var answers = new HashMap<String, Integer>();
    for (int seed = 0; seed < SEEDS; seed++) new Run(seed, answers).go();

    // A run in which nothing happened would agree, too.
    assertThat(answers.keySet())
        .contains(
            "held",
            "committed",
            "confirmed",
            "already_committed",
            "already_confirmed",
            "released",
            "already_released",
            "out_of_stock",
            "idempotency_key_reused");
  }

  private static final class Run {

    private final int seed;
    private final Random random;
    private final Map<String, Integer> answers;
    private final Tables tables = Tables.inMemory(StockRoom.TABLES);
    private Instant now = Instant.parse("2027-01-01T01:00:00Z");
    private final StockRoom room = new StockRoom(tables, () -> now, StockSettings.defaults());
    private final StockList list = new StockList(tables, () -> now, StockSettings.defaults());
    private final StockModel model = new StockModel();
    private final List<Shelf> shelves = new ArrayList<>();

    Run(int seed, Map<String, Integer> answers) {
      this.seed = seed;
      this.random = new Random(seed);
      this.answers = answers;
      item("A", 6);
      item("B", 3);
      list.putRoom("R", 2, PRICE);
      for (int day = 0; day < 6; day++) add(Shelf.ofRoom("R", TODAY.plusDays(day)), 2);
    }

    private void item(String sku, int stock) {
      list.putItem(sku, stock, PRICE);
      add(Shelf.ofItem(sku), stock);
    }

    private void add(Shelf shelf, int count) {
      shelves.add(shelf);
      model.put(shelf, count);
    }

    void go() {
      for (int i = 0; i < OPERATIONS; i++) {
        step(i);
        for (var shelf : shelves) {
          assertThat(look(shelf))
              .as("%s, seed %d, step %d", shelf, seed, i)
              .isEqualTo(model.look(shelf));
        }
      }
      assertThat(new StockAudit(tables).violations()).as("seed %d", seed).isEmpty();
      tables.close();
    }

    private void step(int i) {
      now = now.plusMillis(random.nextInt((int) Duration.ofMinutes(4).toMillis()));
      var order = "o-" + random.nextInt(8);
      var key = "k-" + order + "-" + (random.nextInt(20) == 0 ? "x" : random.nextInt(3));
      if (random.nextInt(40) == 0) key = "k-shared";
      switch (random.nextInt(11)) {
        case 0, 1, 2 -> ask("reserve", order, key, i);
        case 3, 4 -> ask("keep", order, key, i);
        case 5, 6 -> ask("confirm", order, key, i);
        case 7, 8 -> ask("commit", order, key, i);
        case 9 -> {
          room.expire(now, 100);
          model.expire(now.toEpochMilli());
        }
        default -> agree(text(room.release(order, key)), model.release(order, key), i);
      }
    }

    private void ask(String operation, String order, String key, int i) {
      var request = new Request(order, goods(order), null);
      Outcome<?> outcome =
          switch (operation) {
            case "reserve" -> room.reserve(request, key);
            case "keep" -> room.keep(request, key);
            case "confirm" -> room.confirm(request, key);
            default -> room.commit(request, key);
          };
      agree(text(outcome), model.ask(operation, request, key, now.toEpochMilli()), i);
    }

    /// An order mostly wants the same, and sometimes something else.
    private Goods goods(String order) {
      var drawn = random.nextInt(6) == 0 ? random : new Random(seed * 31L + order.hashCode());
      if (drawn.nextBoolean()) {
        var checkIn = TODAY.plusDays(drawn.nextInt(4));
        return new Stay("R", 1, checkIn, checkIn.plusDays(1 + drawn.nextInt(2)));
      }
      var a = new Line("A", 1 + drawn.nextInt(3));
      return new Lines(drawn.nextBoolean() ? List.of(a) : List.of(new Line("B", 1), a));
    }

    private void agree(String answer, String wanted, int i) {
      assertThat(answer).as("seed %d, step %d", seed, i).isEqualTo(wanted);
      answers.merge(answer.replaceFirst(" .*", ""), 1, Integer::sum);
    }

    private static String text(Outcome<?> outcome) {
      return switch (outcome) {
        case Succeeded<?>(Movement(_, var result)) -> result;
        case Succeeded<?>(Reservation(_, var until, _)) ->
            until == null ? "held for ever" : "held until " + until.toEpochMilli();
        case Succeeded<?>(var other) -> other.toString();
        case Failed<?>(var failure) -> failure.code();
        case Unclear<?>(var why, _) -> why;
      };
    }

    private List<Long> look(Shelf shelf) {
      var view =
          shelf.isItem()
              ? list.item(shelf.id()).orElseThrow()
              : list.room(shelf.id(), LocalDate.parse(shelf.night())).orElseThrow();
      return List.of(view.available(), view.held(), view.committed());
    }
  }
}
