package dev.tuntas.testkit.simulation;

import static dev.tuntas.saga.Step.step;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.saga.Call;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.RetryPolicy;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.testkit.checkout.CheckoutWorld;
import dev.tuntas.testkit.checkout.CheckoutWorld.Variant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The test of the tests: every planted bug must be found, and without it nothing is found.
class PlantedBugsTest {

  /// Where a bug is looked for: by crashes, by pauses, then by seeds.
  enum Place {
    CHECKOUT(Exploration.in(CheckoutWorld::new)),
    FORGETFUL_BANK(checkout(new Variant(true, true, false, false, false))),
    BANK_THAT_CALLS_BACK(checkout(new Variant(false, true, true, false, true))),
    THREE_UNDOS(Exploration.of(threeUndos(), n -> n));

    private final Exploration<?> exploration;

    Place(Exploration<?> exploration) {
      this.exploration = exploration;
    }

    Exploration<?> exploration() {
      return exploration;
    }

    /// What finds the bug, or null.
    String search(Bugs bugs) {
      for (var search : SEARCHES.entrySet()) {
        try {
          search.getValue().accept(exploration.with(bugs));
        } catch (AssertionError failure) {
          if (!(failure.getCause() instanceof Violation violation)) throw failure;
          return search.getKey() + ": " + violation.getMessage();
        }
      }
      return null;
    }

    private static Exploration<?> checkout(Variant variant) {
      return Exploration.in((outside, random) -> new CheckoutWorld(variant, outside, random));
    }
  }

  private static final Map<String, Consumer<Exploration<?>>> SEARCHES = new LinkedHashMap<>();

  static {
    SEARCHES.put("crashes", Exploration::crashEverywhere);
    SEARCHES.put("pauses", Exploration::pauseEverywhere);
    SEARCHES.put("seeds", exploration -> exploration.seeds(300));
  }

  private static SagaDefinition<Integer> threeUndos() {
    return SagaDefinition.saga(
        "three",
        1,
        Integer.class,
        step("one", PlantedBugsTest::does).undo(PlantedBugsTest::does).timeout(ofSeconds(2)),
        step("two", PlantedBugsTest::does).undo(PlantedBugsTest::does).timeout(ofSeconds(2)),
        step("three", PlantedBugsTest::fails)
            .undo(PlantedBugsTest::does)
            .timeout(ofSeconds(2))
            .retry(RetryPolicy.once()));
  }

  private static Outcome<Integer> does(Integer n, Call call) {
    return Outcome.done(n);
  }

  private static Outcome<Integer> fails(Integer n, Call call) {
    return n % 2 == 1 ? Outcome.declined("ODD", "odd numbers fail") : Outcome.done(n);
  }

  static Stream<Bugs> bugs() {
    return Stream.concat(Arrays.stream(WrongDecision.values()), Arrays.stream(WrongStore.values()));
  }

  @ParameterizedTest
  @MethodSource("bugs")
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD, unit = TimeUnit.SECONDS)
  void it_is_found(Bugs bug) {
    assertThat(place(bug).search(bug)).as("%s in %s", bug, place(bug)).isNotNull();
  }

  @ParameterizedTest
  @EnumSource
  void without_a_bug_nothing_is_found(Place place) {
    assertThat(place.search(Bugs.NONE)).isNull();
  }

  static Place place(Bugs bug) {
    if (bug instanceof WrongDecision decision) {
      return switch (decision) {
        case TAKE_OVER_SENDS_BLINDLY_AGAIN, NOT_FOUND_IS_BELIEVED_AT_ONCE -> Place.FORGETFUL_BANK;
        case AN_EARLY_SIGNAL_IS_FORGOTTEN, A_LATE_SIGNAL_MOVES_THE_SAGA_BACK ->
            Place.BANK_THAT_CALLS_BACK;
        case STEPS_ARE_UNDONE_IN_THE_ORDER_THEY_WERE_DONE -> Place.THREE_UNDOS;
        default -> Place.CHECKOUT;
      };
    }
    return Place.CHECKOUT;
  }
}
