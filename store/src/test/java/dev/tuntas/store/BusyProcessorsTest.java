package dev.tuntas.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.Publisher;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Step;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Steps that compute leave no processor to other virtual threads.
@Isolated
class BusyProcessorsTest {

  private static final int STARTS = 20;

  @TempDir private Path folder;

  @Test
  void sagas_are_started_all_the_same() throws Exception {
    var saga =
        SagaDefinition.saga(
            "plain",
            1,
            String.class,
            Step.<String>step("pay", (data, _) -> Outcome.done(data)).pivot());
    int carriers = Runtime.getRuntime().availableProcessors();
    var computing = new CountDownLatch(carriers);
    var enough = new AtomicBoolean();
    try (var stores = Stores.sqlite(folder, InstantSource.system());
        var engine =
            EngineSetup.on(stores.sagas(), stores.outbox(), new JacksonDataCodec())
                .publishTo(Publisher.NOWHERE)
                .define(saga)
                .open()) {
      for (int i = 0; i < carriers; i++)
        Thread.startVirtualThread(() -> compute(computing, enough));
      computing.await();
      var took = new ArrayList<Duration>();
      for (int i = 0; i < STARTS; i++) {
        long begun = System.nanoTime();
        engine.start(saga, "o" + i, "");
        took.add(Duration.ofNanos(System.nanoTime() - begun));
      }
      enough.set(true);
      // A writer that nobody rings looks every 200 ms. The disk may stand still now and then.
      took.sort(null);
      assertThat(took.get(STARTS / 2)).isLessThan(Duration.ofMillis(100));
    } finally {
      enough.set(true);
    }
  }

  private static void compute(CountDownLatch computing, AtomicBoolean enough) {
    computing.countDown();
    while (!enough.get()) Thread.onSpinWait();
  }
}
