package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.Progress;
import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Ready;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.ProgressCodec;
import dev.tuntas.engine.Ruling;
import dev.tuntas.engine.Ruling.Kind;
import dev.tuntas.saga.Signal;
import dev.tuntas.testkit.MemoryStore;
import java.util.random.RandomGenerator;

/// A person who looks at a saga and decides, on the evidence of the world's own ledgers.
final class Operator {

  private static final int LETTERS_MAX = 100;

  private final MemoryStore truth;
  private final ForwardingStore store;
  private final Post post;
  private final Checker<?> checker;
  private final Network network;
  private final World<?> world;
  private final Trace trace;
  private int rulings;

  /// Puts something into a saga's inbox.
  interface Post {
    void put(String sagaId, Signal signal);
  }

  Operator(
      MemoryStore truth,
      ForwardingStore store,
      Post post,
      Checker<?> checker,
      Network network,
      World<?> world,
      Trace trace) {
    this.truth = truth;
    this.store = store;
    this.post = post;
    this.checker = checker;
    this.network = network;
    this.world = world;
    this.trace = trace;
  }

  void cancel(String id) {
    checker.cancelling(id, rule(id, Ruling.cancel("client", "changed their mind")));
  }

  /// Sends dead letters again.
  void revive() {
    for (var letter : store.deadLetters(LETTERS_MAX)) store.revive(letter.entry().pos());
  }

  /// Does something rash, but states only what is true.
  void interfere(String id, RandomGenerator random) {
    var row = truth.row(id);
    if (row == null) return;
    var progress = ProgressCodec.decode(row.progress()).progress();
    switch (random.nextInt(5)) {
      case 0 -> rule(id, Ruling.retry("operator", "impatient"));
      case 1 -> giveUp(id, row.version(), progress);
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

  private void giveUp(String id, long version, Progress progress) {
    if (progress instanceof Held(Undoing _, _)) return; // that would be true only if it were undone
    rule(id, new Ruling(Kind.GIVE_UP, "operator", "tired", "", version));
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

  private Signal rule(String id, Ruling ruling) {
    trace.note(id, ruling.actor() + " rules " + ruling.kind());
    var signal = ruling.asSignal("r" + rulings++);
    post.put(id, signal);
    return signal;
  }
}
