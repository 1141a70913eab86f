package dev.tuntas.testkit;

import static dev.tuntas.saga.Step.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Calls;
import dev.tuntas.engine.DataCodec;
import dev.tuntas.engine.EngineNode;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.GroupCommit.Fate;
import dev.tuntas.engine.GroupCommit.Flushed;
import dev.tuntas.engine.Next;
import dev.tuntas.engine.Transition;
import dev.tuntas.saga.Action;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class OneEntryPerSagaTest {

  private final SagaDefinition<String> saga =
      SagaDefinition.saga("saga", 1, String.class, step("go", OneEntryPerSagaTest::go).pivot());

  private static Outcome<String> go(String data, Call call) {
    return Outcome.done(data);
  }

  @Test
  void a_start_that_is_repeated_where_the_saga_is_taken_over_stops_nothing() {
    var store = new MemoryStore(InstantSource.fixed(Instant.EPOCH));
    var first = node(store);
    first.start(saga, "s", "", _ -> {});
    first.flush();
    store.leave(first.id());

    var second = node(store);
    var heard = new ArrayList<Fate>();
    second.start(saga, "s", "", heard::add);
    second.takeOver();

    assertThat(second.flush()).isEqualTo(Flushed.SOME);
    assertThat(second.flush()).isEqualTo(Flushed.SOME);
    assertThat(second.flush()).isEqualTo(Flushed.NOTHING);
    assertThat(heard).containsExactly(Fate.REFUSED);
    assertThat(store.history("s")).hasSize(2);
  }

  private EngineNode node(MemoryStore store) {
    var silence =
        new Calls() {
          @Override
          public <D> void make(
              Next.Make make, Action<D> action, D data, Consumer<Outcome<D>> report) {}
        };
    var hands =
        new EngineNode.Hands(silence, (_, _) -> {}, () -> 0L, new Transition(), (_, _) -> {});
    return new EngineNode(EngineSetup.on(store, new Words()).define(saga), hands);
  }

  private static final class Words implements DataCodec {
    @Override
    public <D> String encode(D data, Class<D> type) {
      return data.toString();
    }

    @Override
    public <D> D decode(String text, Class<D> type) {
      return type.cast(text);
    }
  }
}
