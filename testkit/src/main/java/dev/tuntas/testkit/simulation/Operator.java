package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.Progress;
import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Ready;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.ProgressCodec;
import dev.tuntas.engine.Ruling;
import dev.tuntas.engine.Ruling.Kind;
import dev.tuntas.engine.SagaStore;
import dev.tuntas.testkit.MemoryStore;
import java.util.random.RandomGenerator;

/// A person who looks at a saga and decides, on the evidence of the world's own ledgers.
final class Operator {

  private final MemoryStore truth;
  private final SagaStore store;
  private final Network network;
  private final World<?> world;
  private final Trace trace;
  private final VirtualTime time;
  private int rulings;

  Operator(
      MemoryStore truth,
      SagaStore store,
      Network network,
      World<?> world,
      Trace trace,
      VirtualTime time) {
    this.truth = truth;
    this.store = store;
    this.network = network;
    this.world = world;
    this.trace = trace;
    this.time = time;
  }

  void cancel(String id) {
    rule(id, Ruling.cancel("client", "changed their mind"));
  }

  /// Does something rash, but states only what is true.
  void interfere(String id, RandomGenerator random) {
    var row = truth.row(id);
    if (row == null) return;
    var progress = ProgressCodec.decode(row.progress()).progress();
    switch (random.nextInt(5)) {
      case 0 -> rule(id, Ruling.retry("operator", "impatient"));
      case 1 -> rule(id, new Ruling(Kind.GIVE_UP, "operator", "tired", "", row.version()));
      case 2 -> rule(id, new Ruling(Kind.SKIP, "operator", "not needed", "", row.version()));
      case 3 -> cancel(id);
      case 4 -> state(id, row.version(), progress);
    }
  }

  /// Resolves what is held for a person.
  void resolve(String id) {
    var row = truth.row(id);
    if (row == null) return;
    var progress = ProgressCodec.decode(row.progress()).progress();
    if (progress instanceof Held held) state(id, row.version(), held);
  }

  private void state(String id, long version, Progress progress) {
    switch (progress) {
      case Asking asking -> stateFact(id, version, asking);
      case Held(Asking asking, _) -> stateFact(id, version, asking);
      case Held(Ready _, _), Held(Undoing _, _) -> rule(id, Ruling.retry("operator", "again"));
      case Held _, Ready _, Progress.Sent _, Undoing _, Progress.Done _, Progress.Undone _ -> {}
    }
  }

  private void stateFact(String id, long version, Asking asking) {
    if (world.happened(id, asking.step())) {
      rule(id, new Ruling(Kind.HAPPENED, "operator", "it is there", "ledger", version));
    } else if (!network.isUnderWay(id, asking.step())) {
      rule(id, new Ruling(Kind.DID_NOT_HAPPEN, "operator", "it is not", "ledger", version));
    }
  }

  private void rule(String id, Ruling ruling) {
    trace.note(id, ruling.actor() + " rules " + ruling.kind());
    store.put(id, ruling.asSignal("r" + rulings++), time.instant());
  }
}
