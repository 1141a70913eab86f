package dev.tuntas.testkit.simulation;

import static dev.tuntas.saga.Step.step;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Lane;
import dev.tuntas.saga.GiveUp;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import dev.tuntas.saga.Step;
import dev.tuntas.testkit.checkout.CheckoutWorld;
import dev.tuntas.testkit.checkout.CheckoutWorld.Variant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The test of the tests: every planted bug must be found, and without it nothing is found.
@Execution(ExecutionMode.CONCURRENT)
class PlantedBugsTest {

  /// Where a bug is looked for, and how: one way after the other until it is found.
  enum Place {
    CHECKOUT(_ -> Exploration.in(CheckoutWorld::new), EVERY_WAY),
    FORGETFUL_BANK(_ -> checkout(new Variant(true, true, false, false, false)), EVERY_WAY),
    BANK_THAT_CALLS_BACK(_ -> checkout(new Variant(false, true, true, false, true)), EVERY_WAY),
    LONG_WAIT(_ -> Exploration.of(Sagas.waiting(), n -> n), EVERY_WAY),
    THREE_UNDOS(_ -> Exploration.of(threeUndos(), n -> n), EVERY_WAY),
    SHELF(bug -> shelf(bug, false, 2), EVERY_WAY),
    SLOW_SHELF(bug -> shelf(bug, false, 10), SEEDS),
    DEADLY_SHELF(bug -> shelf(bug, true, 2), FEW_SEEDS),
    LANES(_ -> lanes(), FEW_SEEDS),
    TWO_WAITS(_ -> Exploration.of(twoWaits(), n -> n), ORDERS_OF_SIGNALS);

    private final Function<Bugs, Exploration<?>> exploration;
    private final Map<String, Consumer<Exploration<?>>> ways;

    Place(Function<Bugs, Exploration<?>> exploration, Map<String, Consumer<Exploration<?>>> ways) {
      this.exploration = exploration;
      this.ways = ways;
    }

    /// What finds the bug, or null.
    String search(Bugs bug) {
      for (var way : ways.entrySet()) {
        try {
          way.getValue().accept(exploration.apply(bug).with(bug));
        } catch (AssertionError failure) {
          var found = failure instanceof Violation ? failure : failure.getCause();
          if (!(found instanceof Violation)) throw failure;
          return way.getKey() + ": " + failure.getMessage();
        }
      }
      return null;
    }
  }

  private static final Map<String, Consumer<Exploration<?>>> EVERY_WAY = new LinkedHashMap<>();
  private static final Map<String, Consumer<Exploration<?>>> FEW_SEEDS =
      Map.of("seeds", exploration -> exploration.seeds(60));
  private static final Map<String, Consumer<Exploration<?>>> SEEDS =
      Map.of("seeds", exploration -> exploration.seeds(500));
  private static final Map<String, Consumer<Exploration<?>>> ORDERS_OF_SIGNALS =
      Map.of(
          "orders of signals",
          exploration -> exploration.sameEndInEveryOrder(said("approval"), said("payment")));

  static {
    EVERY_WAY.put("crashes", Exploration::crashEverywhere);
    EVERY_WAY.put("pauses", Exploration::pauseEverywhere);
    EVERY_WAY.put("seeds", exploration -> exploration.seeds(1000));
  }

  static Place placeOf(Bugs bug) {
    return switch (bug) {
      case WrongDecision decision ->
          switch (decision) {
            case TAKE_OVER_SENDS_BLINDLY_AGAIN, NOT_FOUND_IS_BELIEVED_AT_ONCE ->
                Place.FORGETFUL_BANK;
            case A_LATE_SIGNAL_MOVES_THE_SAGA_BACK -> Place.BANK_THAT_CALLS_BACK;
            case STEPS_ARE_UNDONE_IN_THE_ORDER_THEY_WERE_DONE -> Place.THREE_UNDOS;
            case A_LANE_IS_FORGOTTEN -> Place.LANES;
            case AN_EARLY_SIGNAL_IS_FORGOTTEN -> Place.TWO_WAITS;
            default -> Place.CHECKOUT;
          };
      case WrongStore.CRASHES_ARE_NOT_COUNTED -> Place.DEADLY_SHELF;
      case WrongStore.RETENTION_DELETES_WHAT_LIVES -> Place.LONG_WAIT;
      case ShelfWorld.Mistake.AN_UNDO_OF_SLOW_CALLS_LEAVES_NO_TOMBSTONE -> Place.SLOW_SHELF;
      case ShelfWorld.Mistake _ -> Place.SHELF;
      default -> Place.CHECKOUT;
    };
  }

  static Stream<Bugs> bugs() {
    return Stream.<Bugs[]>of(
            WrongDecision.values(),
            WrongStore.values(),
            WrongProcess.values(),
            ShelfWorld.Mistake.values())
        .flatMap(Arrays::stream);
  }

  @ParameterizedTest
  @MethodSource("bugs")
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD, unit = TimeUnit.SECONDS)
  void it_is_found(Bugs bug) {
    assertThat(placeOf(bug).search(bug)).as("%s in %s", bug, placeOf(bug)).isNotNull();
  }

  @ParameterizedTest
  @EnumSource
  void without_a_bug_nothing_is_found(Place place) {
    assertThat(place.search(Bugs.NONE)).isNull();
  }

  // Sagas

  private static Exploration<?> checkout(Variant variant) {
    return Exploration.in((outside, random) -> new CheckoutWorld(variant, outside, random));
  }

  private static Exploration<?> shelf(Bugs bug, boolean deadly, int timeout) {
    return Exploration.in((_, _) -> new ShelfWorld(bug, deadly, ofSeconds(timeout)));
  }

  private static SagaDefinition<Integer> threeUndos() {
    return SagaDefinition.saga(
        "three",
        1,
        Integer.class,
        step("one", Sagas::does).undo(Sagas::does).timeout(ofSeconds(2)),
        step("two", Sagas::does).undo(Sagas::does).timeout(ofSeconds(2)),
        step("three", Sagas::mostlyDoes).undo(Sagas::does).timeout(ofSeconds(2)));
  }

  private static Exploration<?> lanes() {
    return Exploration.of(Sagas.withLanes(), n -> n)
        .lane(Lane.Settings.of("bank").perSecond(5))
        .lane(Lane.Settings.of("carrier").perSecond(10).concurrency(3));
  }

  private static SagaDefinition<Integer> twoWaits() {
    return SagaDefinition.saga("two-waits", 1, Integer.class, waits("approval"), waits("payment"));
  }

  private static Step<Integer> waits(String signal) {
    return Step.<Integer>waitFor(signal)
        .onSignal(signal, (n, _) -> Outcome.done(n))
        .ifStillUnclear(GiveUp.undo(ofMinutes(30)));
  }

  private static Signal said(String what) {
    return new Signal("partner", what, what, "");
  }
}
