package dev.tuntas.engine;

import dev.tuntas.saga.Call;
import java.time.Instant;

/// What a saga does after a decision.
public sealed interface Next {

  /// Which of a step's three calls.
  enum Direction {
    DO,
    ASK,
    UNDO
  }

  /// Who goes first where a partner takes fewer calls than there are.
  enum Rank {
    /// What begins something or takes it back.
    ACT,
    /// A question that was never asked.
    FIRST,
    /// One that was.
    AGAIN
  }

  /// Where a saga waits for its turn: in a partner's lane, and not beyond its end, whether or not
  /// the lane lets anybody through.
  record Queue(String lane, Rank rank, Instant end) {}

  /// Make a call, as soon as its lane permits.
  record Make(Direction direction, Call call, Queue queue) implements Next {}

  /// Wait until then, and then for the turn.
  record Sleep(Instant until, Queue queue) implements Next {}

  /// Wait until then, in memory: only a worker makes this of a short sleep.
  record Nap(Instant until) implements Next {}

  /// A call is under way: its report is what comes next.
  record Await() implements Next {}

  /// Nothing more to do by itself.
  record Rest(Status status) implements Next {}
}
