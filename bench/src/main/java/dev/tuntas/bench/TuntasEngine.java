package dev.tuntas.bench;

import static dev.tuntas.bench.BenchSagas.CHECKOUT;
import static dev.tuntas.bench.BenchSagas.DELIVERY;

import dev.tuntas.engine.Engine;
import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.Status;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.store.JacksonDataCodec;
import dev.tuntas.store.Stores;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The real engine on a real store.
final class TuntasEngine implements Contender {

  private final String name;
  private final TuntasStore store;

  TuntasEngine(String name, TuntasStore store) {
    this.name = name;
    this.store = store;
  }

  @Override
  public String name() {
    return name;
  }

  TuntasStore store() {
    return store;
  }

  @Override
  public Shop open() {
    return new TuntasShop(store);
  }

  private static final class TuntasShop implements Shop, EngineListener {

    private final Map<String, Runnable> underWay = new ConcurrentHashMap<>();
    private final WriteCounter counter;
    private final Stores stores;
    private final Engine engine;

    TuntasShop(TuntasStore store) {
      counter = new WriteCounter(store.rowsPerEntry());
      stores = store.open();
      engine =
          EngineSetup.on(
                  counter.count(stores.sagas()),
                  counter.count(stores.outbox()),
                  new JacksonDataCodec())
              .define(CHECKOUT, DELIVERY)
              .listener(this)
              .publishTo(_ -> {})
              .nodeName("bench")
              .open();
    }

    @Override
    public void begin(String id, Runnable ended) {
      underWay.put(id, ended);
      engine.startAsync(CHECKOUT, id, Order.of(id));
    }

    @Override
    public void rested(SagaDefinition<?> saga, String id, Status status) {
      if (status != Status.DONE) throw new BenchException("saga " + id + " ended as " + status);
      var ended = underWay.remove(id);
      if (ended != null) ended.run();
    }

    @Override
    public void close() {
      engine.close();
      stores.close();
    }

    @Override
    public Cost cost() {
      return counter.cost();
    }
  }
}
