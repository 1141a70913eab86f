package dev.tuntas.testkit.simulation;

import static dev.tuntas.saga.Step.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Calls;
import dev.tuntas.engine.EngineNode;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.GroupCommit.Flushed;
import dev.tuntas.engine.Next;
import dev.tuntas.engine.Ruling;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.Transition;
import dev.tuntas.saga.Action;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.testkit.MemoryStore;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class BackOffTest {

  private final VirtualTime time = new VirtualTime();
  private final MemoryStore store = new MemoryStore(time);
  private final ReferenceCodec codec = new ReferenceCodec();
  private final SagaDefinition<Integer> saga =
      SagaDefinition.saga("deadly", 1, Integer.class, step("take", Sagas::does).undo(Sagas::does));

  /// Found by seed 2004411: a ruling was heard before the take-over.
  @Test
  void what_is_taken_over_after_several_crashes_hears_of_that_before_anything_else() {
    var last = afterFourCrashes();
    last.takeOver();
    store.put("s", Ruling.cancel("user", "tired").asSignal("1"), time.instant());
    do last.deliver();
    while (last.flush() != Flushed.NOTHING);

    assertThat(store.history("s").get(1).what()).startsWith("taken over; take is unclear");
    assertThat(store.history("s").get(2).what()).startsWith("user ruled 'cancel'");
  }

  @Test
  void a_crash_while_it_waits_after_others_is_not_counted() {
    var fifth = afterFourCrashes();
    fifth.takeOver();
    while (fifth.flush() != Flushed.NOTHING) {}
    var row = store.find("s").orElseThrow();
    assertThat(row.crashes()).isEqualTo(5);
    assertThat(row.status()).isEqualTo(Status.WAITING);
    assertThat(row.dueAt()).isAfterOrEqualTo(time.instant().plusSeconds(1));

    store.leave(fifth.id());
    var next = node();
    next.takeOver();
    assertThat(store.find("s")).contains(row);
  }

  private EngineNode afterFourCrashes() {
    var first = node();
    first.start(saga, "s", 1, _ -> {});
    first.flush();
    store.leave(first.id());
    for (int i = 0; i < 4; i++) {
      store.takeOver(store.join("dies"), Set.of(1), 10);
      store.leave(i + 2);
    }
    return node();
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
            silence, (_, _) -> {}, () -> time.millis() * 1_000_000, new Transition(), (_, _) -> {});
    return new EngineNode(EngineSetup.on(store, codec).define(saga), hands);
  }
}
