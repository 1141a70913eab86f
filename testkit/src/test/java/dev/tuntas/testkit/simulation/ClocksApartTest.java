package dev.tuntas.testkit.simulation;

import static dev.tuntas.saga.Step.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.engine.Calls;
import dev.tuntas.engine.EngineNode;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.Next;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.engine.Transition;
import dev.tuntas.saga.Action;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.testkit.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Two processes of which one took the store's time before its clock was set back.
class ClocksApartTest {

  private static final Calls NEVER_ANSWERED =
      new Calls() {
        @Override
        public <D> void make(
            Next.Make make, Action<D> action, D data, Consumer<Outcome<D>> report) {}
      };

  private final VirtualTime time = new VirtualTime();
  private final SagaDefinition<Integer> saga =
      SagaDefinition.saga("apart", 1, Integer.class, step("pay", ClocksApartTest::pay).harmless());
  private Duration clockSet = Duration.ofHours(1);
  private final MemoryStore store = new MemoryStore(() -> time.instant().plus(clockSet));
  private boolean loses;
  private final EngineNode ahead = node();
  private final EngineNode behind = whenSetBack();

  private static Outcome<Integer> pay(Integer n, Call call) {
    return Outcome.done(n);
  }

  private EngineNode whenSetBack() {
    clockSet = Duration.ZERO;
    return node();
  }

  private EngineNode node() {
    var hands =
        new EngineNode.Hands(
            NEVER_ANSWERED,
            (wait, task) -> time.after(wait.toMillis(), task),
            () -> time.millis() * 1_000_000,
            new Transition(),
            (_, _) -> {});
    var losing =
        new ForwardingStore(store) {
          @Override
          public List<SagaRow> takeOver(int node, Set<Integer> kinds, int limit) {
            var rows = super.takeOver(node, kinds, limit);
            if (loses) throw new StoreException(Kind.UNKNOWN, "the answer got lost", null);
            return rows;
          }
        };
    return new EngineNode(EngineSetup.on(losing, new ReferenceCodec()).define(saga), hands);
  }

  @Test
  void what_one_that_is_ahead_has_moved_is_adopted_by_one_that_is_behind() {
    ahead.start(saga, "s", 1, _ -> {});
    ahead.flush();
    assertThat(store.find("s").orElseThrow().movedAt()).isAfter(behind.now().plusSeconds(3_000));
    store.leave(ahead.id());
    loses = true;
    assertThatThrownBy(behind::takeOver).isInstanceOf(StoreException.class);

    assertThat(behind.adopt()).isEqualTo(1);
    assertThat(behind.running()).isEqualTo(1);
    assertThat(behind.adopt()).as("it is known").isZero();
  }

  @Test
  void what_stands_still_is_found_by_the_time_of_the_process_that_runs_it() {
    behind.start(saga, "s", 1, _ -> {});
    behind.flush();

    time.advanceTo(time.millis() + Duration.ofMinutes(5).toMillis());
    assertThat(behind.sweep()).isZero();
    time.advanceTo(time.millis() + 1);
    assertThat(behind.sweep()).isEqualTo(1);
    assertThat(ahead.sweep()).isZero();
  }
}
