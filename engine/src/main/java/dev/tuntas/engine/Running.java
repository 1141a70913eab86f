package dev.tuntas.engine;

import dev.tuntas.saga.Failure;
import dev.tuntas.saga.SagaDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A saga that this process runs from memory. Guarded by its own monitor.
final class Running<D> {

  /// Something to decide about. `pos` is the inbox row it came from, or -1; `token` names the call
  /// that a report answers.
  record Input<D>(Event<D> event, long pos, long token) {

    static <D> Input<D> of(Event<D> event) {
      return new Input<>(event, -1, -1);
    }
  }

  static final String UNREADABLE = "UNREADABLE";

  final SagaDefinition<D> saga;
  final String id;
  final int kind;
  long version;
  State<D> state;

  /// Why its data cannot be read: it is before a person, and `state` has none.
  @Nullable Failure unreadable;

  /// The data as the store has it.
  @Nullable String dataText;

  /// When something was last decided about it here, by the time of this process.
  Instant decidedAt = Instant.MAX;

  /// Inputs that came while a write was under way.
  final Queue<Input<D>> inputs = new ArrayDeque<>();

  /// Inbox rows that were heard. Kept also when their fate is written: a list of the inbox that was
  /// read before may still name them.
  final Set<Long> heard = new HashSet<>();

  /// A write is under way; only one at a time, so that a batch never holds a saga twice.
  boolean writing;

  /// It was taken over after several crashes in a row: so long it waits before it goes on.
  Duration pause = Duration.ZERO;

  /// A call is under way, and `token` names it.
  boolean calling;

  long token;

  /// No longer ours, or at rest: whatever still comes is for nobody.
  boolean gone;

  /// A permit taken when the saga was claimed, not yet used.
  Lane.@Nullable Permit permit;

  /// Whether a person has heard already that it cannot be read.
  boolean isKnownUnreadable() {
    return state.progress() instanceof Progress.Held(_, var why) && why.code().equals(UNREADABLE);
  }

  Running(SagaDefinition<D> saga, String id, int kind, long version, State<D> state) {
    this.saga = saga;
    this.id = id;
    this.kind = kind;
    this.version = version;
    this.state = state;
  }
}
