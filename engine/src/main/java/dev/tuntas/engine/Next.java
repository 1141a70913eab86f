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

  /// Make a call, as soon as its lane permits.
  record Make(Direction direction, Call call, String lane) implements Next {}

  /// Wait until then, in that lane.
  record Sleep(Instant until, String lane) implements Next {}

  /// Wait until then, in memory: only a worker makes this of a short sleep.
  record Nap(Instant until) implements Next {}

  /// A call is under way: its report is what comes next.
  record Await() implements Next {}

  /// Nothing more to do by itself.
  record Rest(Status status) implements Next {}
}
