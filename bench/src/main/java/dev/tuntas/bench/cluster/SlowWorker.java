package dev.tuntas.bench.cluster;

import dev.tuntas.engine.EngineSettings;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.Publisher;
import dev.tuntas.store.JacksonDataCodec;
import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.Stores;
import java.io.IOException;
import java.time.Duration;

/// A worker in a process of its own: runs slow sagas until its input ends.
final class SlowWorker {

  private SlowWorker() {}

  /// @param arguments the database, its user, sagas at once, milliseconds of a call
  public static void main(String[] arguments) throws IOException {
    var database = PostgresSettings.of(arguments[0], arguments[1], "");
    int inFlight = Integer.parseInt(arguments[2]);
    var call = Duration.ofMillis(Integer.parseInt(arguments[3]));
    try (var stores = Stores.postgres(database);
        var _ =
            EngineSetup.on(stores.sagas(), stores.outbox(), new JacksonDataCodec())
                .define(SlowSaga.of(call))
                .settings(EngineSettings.standard().running(inFlight))
                .publishTo(Publisher.NOWHERE)
                .open()) {
      while (System.in.read() >= 0) {
        // whoever began us is still there
      }
    }
  }
}
