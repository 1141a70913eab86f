package dev.tuntas.engine;

import dev.tuntas.saga.Failure;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Where a saga stands. Steps are held by name, so that a saga survives a longer definition.
public sealed interface Progress {

  /// The step may be called from `at` on. No call of this attempt has gone out.
  record Ready(String step, int attempt, Instant at) implements Progress {}

  /// The call may have gone out. If nobody is there to hear its answer, that is doubt.
  record Sent(String step, int attempt, Instant at) implements Progress {}

  /// Nobody knows whether the step happened. Asked again at `askAt`, or never if null; from
  /// `quietAt` on, no call of ours can still be under way.
  record Asking(String step, int attempt, int asks, @Nullable Instant askAt, Instant quietAt)
      implements Progress {}

  /// The step is being undone; the call may be made, and may have gone out, from `at` on. `late`
  /// names the signal that made an undone saga undo something more.
  record Undoing(String step, int attempt, Instant at, @Nullable String late) implements Progress {}

  /// A person decides how it goes on from `before`.
  record Held(Progress before, Failure why) implements Progress {}

  /// Everything happened.
  record Done() implements Progress {}

  /// Nothing happened, or all of it was undone.
  record Undone() implements Progress {}
}
