package dev.tuntas.bench.scenario;

import dev.tuntas.engine.Calls;
import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.EngineNode;
import dev.tuntas.engine.EngineSettings;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.GroupCommit.Flushed;
import dev.tuntas.engine.Lane;
import dev.tuntas.engine.Next.Make;
import dev.tuntas.engine.OutboxRelay;
import dev.tuntas.engine.Publisher;
import dev.tuntas.engine.Transition;
import dev.tuntas.orders.Order;
import dev.tuntas.orders.RideSaga;
import dev.tuntas.saga.Action;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import dev.tuntas.store.JacksonDataCodec;
import dev.tuntas.testkit.MemoryStore;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// The engine on a store in memory, driven by an agenda at the pace of a server.
final class RideEngine {

  private static final Duration COMMIT = Duration.ofMillis(2);
  private static final Duration CLAIM = EngineSettings.standard().pace().claimEvery();
  private static final Duration RELAY = Duration.ofMillis(40);
  private static final Duration PURGE = Duration.ofSeconds(1);

  /// What ended is kept only as long as late news of it may come: an hour holds too many rides.
  private static final Duration KEPT = Duration.ofMinutes(2);

  private static final int ANSWER_MS_LEAST = 20;
  private static final int ANSWER_MS_MOST = 80;
  private static final int PUBLISH_ATTEMPTS = 10;

  private final Agenda agenda;
  private final RandomGenerator chance;
  private final MemoryStore store;
  private final EngineNode node;
  private final OutboxRelay relay;
  private boolean flushPlanned;

  RideEngine(
      Agenda agenda,
      RandomGenerator chance,
      RideSaga rides,
      int perSecond,
      Publisher publisher,
      EngineListener... listeners) {
    this.agenda = agenda;
    this.chance = chance;
    this.store = new MemoryStore(agenda);
    var standard = EngineSettings.standard();
    var setup =
        EngineSetup.on(store, new JacksonDataCodec())
            .define(rides.all().toArray(SagaDefinition[]::new))
            .lane(Lane.Settings.of(RideSaga.LANE).perSecond(perSecond))
            .listener(listeners)
            .settings(
                standard.retention(
                    new EngineSettings.Retention(KEPT, standard.retention().consumed())));
    node =
        new EngineNode(
            setup,
            new EngineNode.Hands(
                new Answers(),
                agenda::after,
                () -> agenda.millis() * 1_000_000,
                new Transition(),
                (_, _) -> {}));
    relay = new OutboxRelay(store, publisher, agenda, PUBLISH_ATTEMPTS, listeners[0]);
    node.onSubmit(this::flushSoon);
    agenda.every(standard.beats().every(), node::beat);
    agenda.every(CLAIM, this::claim);
    agenda.every(RELAY, this::publish);
    agenda.every(PURGE, this::purge);
  }

  void start(SagaDefinition<Order> story, String id, Order order) {
    node.start(story, id, order, _ -> {});
  }

  void tell(String id, Signal signal) {
    store.put(id, signal, agenda.instant());
  }

  /// How many sagas the store holds, ended or not.
  int stored() {
    return store.sagas().size();
  }

  private void claim() {
    node.deliver();
    node.claimDue();
  }

  private void publish() {
    while (relay.relay() > 0) {
      // until nothing is left
    }
  }

  private void purge() {
    while (node.purge() > 0) {
      // batch by batch
    }
  }

  private void flushSoon() {
    if (flushPlanned) return;
    flushPlanned = true;
    agenda.after(COMMIT, this::flush);
  }

  private void flush() {
    flushPlanned = false;
    while (node.flush() == Flushed.SOME) {
      // until nothing is left
    }
  }

  /// Calls take effect at once, and their answers travel for some milliseconds.
  private final class Answers implements Calls {
    @Override
    public <D> void make(Make make, Action<D> action, D data, Consumer<Outcome<D>> report) {
      var outcome = perform(make, action, data);
      var travel = Duration.ofMillis(chance.nextInt(ANSWER_MS_LEAST, ANSWER_MS_MOST + 1));
      agenda.after(travel, () -> report.accept(outcome));
    }

    private <D> Outcome<D> perform(Make make, Action<D> action, D data) {
      try {
        return action.perform(data, make.call());
      } catch (Exception surprise) {
        return Outcome.unclear(surprise.toString());
      }
    }
  }
}
