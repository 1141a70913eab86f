package dev.tuntas.testkit.simulation;

import static dev.tuntas.saga.Step.step;
import static java.time.Duration.ofMinutes;

import dev.tuntas.engine.Engine;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.Publisher;
import dev.tuntas.engine.Ruling;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.testkit.MemoryStore;
import dev.tuntas.testkit.threads.Scenario;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.random.RandomGenerator;

/// An engine that nothing is wrong with, on a store and services that take no time. So nothing else
/// takes time either: whoever has to be woken is. Now and then somebody asks for what is done
/// anyway.
public final class WellThreads implements Scenario {

  private static final int SAGAS = 3;

  private final InstantSource clock = InstantSource.system();
  private final MemoryStore store = new MemoryStore(clock);
  private final SagaDefinition<Integer> saga =
      SagaDefinition.saga(
          "short",
          1,
          Integer.class,
          step("one", (Integer data, Call _) -> Outcome.done(data + 1)).harmless(),
          step("two", (Integer data, Call _) -> Outcome.done(data + 1)).harmless());

  @Override
  public void run(RandomGenerator random) throws Exception {
    boolean urged = random.nextBoolean();
    try (var engine =
        EngineSetup.on(store, new SharedCodec()).define(saga).publishTo(Publisher.NOWHERE).open()) {
      var threads = new ArrayList<Thread>();
      for (int i = 0; i < SAGAS; i++) {
        var id = "saga-" + i;
        threads.add(begin(() -> start(engine, id)));
        if (urged) threads.add(begin(() -> urge(engine, id)));
      }
      for (var thread : threads) thread.join();
      for (int i = 0; i < SAGAS && !urged; i++) requireNoWait("saga-" + i);
    }
  }

  private static Thread begin(Runnable work) {
    return Thread.ofPlatform().name("client").start(work);
  }

  private void start(Engine engine, String id) {
    var begun = clock.instant();
    engine.start(saga, id, 1);
    var took = Duration.between(begun, clock.instant());
    if (!took.isZero()) throw new AssertionError("to start took " + took);
    try {
      if (engine.await(id, ofMinutes(1)).isEmpty()) throw new AssertionError("it has no end");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// From the first line of its history to the last no time has passed.
  private void requireNoWait(String id) {
    var history = store.history(id);
    var took = Duration.between(history.getFirst().at(), history.getLast().at());
    if (!took.isZero()) throw new AssertionError("it took " + took + ": " + history);
  }

  private static void urge(Engine engine, String id) {
    var name = engine.rule(id, Ruling.retry("somebody", "faster"));
    try {
      if (engine.verdict(name, ofMinutes(1)).isEmpty()) throw new AssertionError("no verdict");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
