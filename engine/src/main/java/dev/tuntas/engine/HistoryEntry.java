package dev.tuntas.engine;

import dev.tuntas.engine.Next.Direction;
import org.jspecify.annotations.Nullable;

/// One thing that happened to a saga, as its history keeps it. Programs read entries; [HistoryText]
/// renders them for people. Text from outside is only ever a field of an entry.
public sealed interface HistoryEntry {

  /// The saga was accepted.
  record Accepted() implements HistoryEntry {}

  /// The saga entered a step that only waits for a signal.
  record Waiting(String step) implements HistoryEntry {}

  /// A step may be called from now on, under this key.
  record Sent(String step, int attempt, String key) implements HistoryEntry {}

  /// A call was answered. `code` is empty unless it failed.
  record Answered(Direction direction, String step, Result result, String code, String detail)
      implements HistoryEntry {}

  /// The process that called the step died before it heard an answer.
  record AnswerLost(String step) implements HistoryEntry {}

  /// The step was not done in time.
  record TimedOut(String step) implements HistoryEntry {}

  /// The saga went on without an optional step. `certain`: it is known that it did not happen.
  record Skipped(String step, boolean certain) implements HistoryEntry {}

  /// The saga turned back. `step` is the step that failed; null if somebody cancelled.
  record TurnedBack(@Nullable String step, String code) implements HistoryEntry {}

  /// The step's effect is being undone, under this key.
  record Undoing(String step, String key) implements HistoryEntry {}

  /// A person gave up undoing the step.
  record LeftUndone(String step) implements HistoryEntry {}

  /// Somebody told the saga something.
  record Signalled(String name, String source, String externalId) implements HistoryEntry {}

  /// A signal decided the step.
  record SettledBySignal(String step, Result result, String code) implements HistoryEntry {}

  /// A fact was noted beside the steps.
  record Noted(String fact, String value) implements HistoryEntry {}

  /// A person or a client ruled. `step` is the step that the saga stood at, `undoing` whether the
  /// ruling was about its undo, `refusal` why the ruling was not heeded.
  record Ruled(Ruling ruling, @Nullable String step, boolean undoing, @Nullable String refusal)
      implements HistoryEntry {}

  /// The saga is before a person.
  record Held(String code, String detail) implements HistoryEntry {}

  /// Another process took the saga over.
  record TakenOver() implements HistoryEntry {}

  /// The saga ended: [Status#DONE] or [Status#UNDONE].
  record Ended(Status status) implements HistoryEntry {}

  /// A sentence for people. No program reads it.
  record Remark(String text) implements HistoryEntry {}

  /// What was known after a call.
  enum Result {
    SUCCEEDED,
    FAILED,
    UNCLEAR,
    PENDING
  }
}
