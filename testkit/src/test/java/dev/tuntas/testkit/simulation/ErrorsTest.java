package dev.tuntas.testkit.simulation;

import static dev.tuntas.saga.Step.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Calls;
import dev.tuntas.engine.Decider;
import dev.tuntas.engine.Decision;
import dev.tuntas.engine.EngineNode;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.Event;
import dev.tuntas.engine.Lane;
import dev.tuntas.engine.Next;
import dev.tuntas.engine.State;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.Transition;
import dev.tuntas.saga.Action;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.testkit.MemoryStore;
import java.time.Instant;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A process that has no memory or no thread at any one moment goes on without a restart.
class ErrorsTest {

  enum Place {
    CLOCK,
    CALLS,
    TIMERS,
    ANSWERS,
    ENDS
  }

  private static final int ARMED_FOR = 4_000;

  private final SagaDefinition<Integer> saga =
      SagaDefinition.saga(
          "errors",
          1,
          Integer.class,
          step("reserve", ErrorsTest::fine).undo(ErrorsTest::fine).lane("stock"),
          step("pay", ErrorsTest::second).undo(ErrorsTest::fine).lane("bank"),
          step("confirm", ErrorsTest::second).pivot());
  private VirtualTime time;
  private MemoryStore store;
  private Place place;
  private int turns;
  private int atOnce = 1;

  private static Outcome<Integer> fine(Integer n, Call call) {
    return Outcome.done(n);
  }

  /// Away at first, so that it has to wait.
  private static Outcome<Integer> second(Integer n, Call call) {
    return call.attempt() > 1 ? Outcome.done(n) : Outcome.unavailable("AWAY", "");
  }

  private void pass(Place here) {
    if (here != place || time.sinceStart() > ARMED_FOR || --turns != 0) return;
    throw new OutOfMemoryError("unable to create native thread");
  }

  @ParameterizedTest
  @EnumSource
  void sagas_go_on_after_an_error_at_any_moment(Place somewhere) {
    int turn = 0;
    do {
      turn += 1;
      place = somewhere;
      turns = turn;
      time = new VirtualTime();
      store = new MemoryStore(time);
      run(turn);
    } while (turns <= 0);
    assertThat(turn).as("it went off").isGreaterThan(1);
  }

  @Test
  void one_that_cannot_be_adopted_keeps_no_other_from_it() {
    atOnce = 2;
    place = Place.CLOCK;
    time = new VirtualTime();
    store = new MemoryStore(time);
    var gone = node(new Transition());
    gone.start(saga, "bad", 1, _ -> {});
    gone.start(saga, "good", 1, _ -> {});
    gone.flush();
    store.leave(gone.id());
    var node = node(new Confused());
    int kind = store.find("bad").orElseThrow().kind();
    assertThat(store.takeOver(node.id(), Set.of(kind), 10)).hasSize(2); // and the answer is lost
    time.advanceTo(time.millis() + 2_001);
    node.beat();

    assertThat(node.adopt()).isEqualTo(2);
    node.flush();
    assertThat(store.find("good").orElseThrow().version()).isEqualTo(2);
    assertThat(node.adopt()).as("it is tried again").isEqualTo(1);
  }

  /// Decides nothing about one of them.
  private static final class Confused implements Decider {

    private final Decider fine = new Transition();

    @Override
    public <D> Decision<D> start(SagaDefinition<D> saga, String id, D data, Instant now) {
      return fine.start(saga, id, data, now);
    }

    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      if (id.equals("bad")) throw new IllegalStateException("a bug");
      return fine.next(saga, id, state, event, now);
    }
  }

  private void run(int turn) {
    EngineNode node = null;
    for (int tenth = 0; tenth < 1_200; tenth++) {
      long now = time.millis();
      time.after(100, () -> {});
      while (time.nextAt() <= now + 100) survive(time::step);
      if (node == null) node = begin();
      if (node == null) continue;
      var life = node;
      for (var id : new String[] {"a", "b", "c"}) {
        if (store.find(id).isEmpty()) survive(() -> life.start(saga, id, 1, _ -> {}));
      }
      survive(life::flush);
      if (tenth % 5 == 0) survive(life::beat);
      survive(life::deliver);
      survive(life::claimDue);
      if (tenth % 10 != 0) continue;
      survive(life::takeOver);
      survive(life::adopt);
      survive(life::claimLate);
    }
    for (var id : new String[] {"a", "b", "c"}) {
      var row = store.find(id).orElseThrow();
      assertThat(row.status())
          .as("%s, which says %s, after an error at turn %d", id, row.progress(), turn)
          .isEqualTo(Status.DONE);
    }
  }

  private EngineNode begin() {
    try {
      return node(new Transition());
    } catch (OutOfMemoryError _) {
      return null;
    }
  }

  private static void survive(Runnable duty) {
    try {
      duty.run();
    } catch (OutOfMemoryError _) {
      // as the engine's threads do
    }
  }

  private EngineNode node(Decider decider) {
    var calls =
        new Calls() {
          @Override
          public <D> void make(
              Next.Make make, Action<D> action, D data, Consumer<Outcome<D>> report) {
            pass(Place.CALLS);
            time.after(20, () -> answer(make, action, data, report));
          }
        };
    var hands =
        new EngineNode.Hands(
            calls,
            (wait, task) -> {
              pass(Place.TIMERS);
              time.after(wait.toMillis(), task);
            },
            () -> {
              pass(Place.CLOCK);
              return time.millis() * 1_000_000;
            },
            decider,
            (_, _) -> pass(Place.ENDS));
    var setup =
        EngineSetup.on(new ForwardingStore(store), new ReferenceCodec())
            .define(saga)
            .lane(Lane.Settings.of("stock").concurrency(atOnce))
            .lane(Lane.Settings.of("bank").concurrency(1).perSecond(20));
    return new EngineNode(setup, hands);
  }

  /// An answer that an error keeps from being heard is none.
  private <D> void answer(Next.Make make, Action<D> action, D data, Consumer<Outcome<D>> report) {
    Outcome<D> outcome;
    try {
      pass(Place.ANSWERS);
      outcome = action.perform(data, make.call());
    } catch (Exception | OutOfMemoryError surprise) {
      outcome = Outcome.unclear(surprise.toString());
    }
    report.accept(outcome);
  }
}
