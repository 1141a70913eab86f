package dev.tuntas.testkit.simulation;

import static dev.tuntas.saga.Step.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Calls;
import dev.tuntas.engine.EngineNode;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.GroupCommit.Flushed;
import dev.tuntas.engine.Next;
import dev.tuntas.engine.Ruling;
import dev.tuntas.engine.Transition;
import dev.tuntas.saga.Action;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Found by seed 2004411: a ruling was heard before the take-over.
class BackOffTest {

  private final VirtualTime time = new VirtualTime();
  private final MemoryStore store = new MemoryStore(time);
  private final ReferenceCodec codec = new ReferenceCodec();
  private final List<Runnable> timers = new ArrayList<>();
  private final SagaDefinition<Integer> saga =
      SagaDefinition.saga("deadly", 1, Integer.class, step("take", Sagas::does).undo(Sagas::does));

  @Test
  void what_is_taken_over_after_several_crashes_hears_of_that_before_anything_else() {
    var first = node();
    first.start(saga, "s", 1, _ -> {});
    first.flush();
    store.leave(first.id());
    for (int i = 0; i < 4; i++) {
      store.takeOver(store.join("dies"), Set.of(1), 10);
      store.leave(i + 2);
    }

    var last = node();
    last.takeOver();
    store.put("s", Ruling.cancel("user", "tired").asSignal("1"), time.instant());
    last.deliver();
    assertThat(store.find("s").orElseThrow().crashes()).isEqualTo(5);
    assertThat(last.flush()).isEqualTo(Flushed.NOTHING);

    timers.forEach(Runnable::run);
    while (last.flush() != Flushed.NOTHING) {}
    assertThat(store.history("s").get(1).what()).startsWith("taken over; take is unclear");
    assertThat(store.history("s").get(2).what()).startsWith("user ruled 'cancel'");
  }

  private EngineNode node() {
    var silence =
        new Calls() {
          @Override
          public <D> void make(
              Next.Make make, Action<D> action, D data, Consumer<Outcome<D>> report) {}
        };
    var hands =
        new EngineNode.Hands(
            silence,
            (_, task) -> timers.add(task),
            () -> time.millis() * 1_000_000,
            new Transition(),
            (_, _) -> {});
    return new EngineNode(EngineSetup.on(store, codec).define(saga), hands);
  }
}
