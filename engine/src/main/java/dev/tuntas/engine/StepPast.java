package dev.tuntas.engine;

import dev.tuntas.engine.HistoryEntry.Accepted;
import dev.tuntas.engine.HistoryEntry.AnswerLost;
import dev.tuntas.engine.HistoryEntry.Answered;
import dev.tuntas.engine.HistoryEntry.Ended;
import dev.tuntas.engine.HistoryEntry.Held;
import dev.tuntas.engine.HistoryEntry.LeftUndone;
import dev.tuntas.engine.HistoryEntry.Noted;
import dev.tuntas.engine.HistoryEntry.Remark;
import dev.tuntas.engine.HistoryEntry.Result;
import dev.tuntas.engine.HistoryEntry.Ruled;
import dev.tuntas.engine.HistoryEntry.Sent;
import dev.tuntas.engine.HistoryEntry.SettledBySignal;
import dev.tuntas.engine.HistoryEntry.Signalled;
import dev.tuntas.engine.HistoryEntry.Skipped;
import dev.tuntas.engine.HistoryEntry.TakenOver;
import dev.tuntas.engine.HistoryEntry.TimedOut;
import dev.tuntas.engine.HistoryEntry.TurnedBack;
import dev.tuntas.engine.HistoryEntry.Undoing;
import dev.tuntas.engine.HistoryEntry.Waiting;
import dev.tuntas.engine.Next.Direction;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What the history of a saga says about one of its steps.
final class StepPast {

  private final String name;
  private int attempts;

  /// Whether no other step was sent since this one was: only English history needs it.
  private boolean sentLast;

  private boolean done;
  private boolean failed;
  private boolean undone;
  private boolean skipped;
  private @Nullable Instant firstSentAt;
  private @Nullable Instant lastAt;
  private @Nullable String lastError;

  private StepPast(String name) {
    this.name = name;
  }

  /// A line of the history, read once for all steps.
  record Line(Instant at, List<HistoryEntry> entries) {

    static Line of(HistoryLine line) {
      return new Line(line.at(), line.entries());
    }
  }

  static StepPast of(String step, List<Line> history) {
    var past = new StepPast(step);
    for (var line : history) for (var entry : line.entries()) past.read(entry, line.at());
    return past;
  }

  private void read(HistoryEntry entry, Instant at) {
    switch (entry) {
      case Sent(var step, _, _) -> sent(step, at);
      case Answered answered when answered.step().equals(name) -> answered(answered, at);
      case AnswerLost(var step) when step.equals(name) -> missed("its worker died", at);
      case TimedOut(var step) when step.equals(name) -> missed("ran out of time", at);
      case Skipped(var step, _) when step.equals(name) -> {
        skipped = true;
        lastAt = at;
      }
      case SettledBySignal(var step, var result, var code) when step.equals(name) ->
          settled(result, code, at);
      case Ruled(var ruling, var step, var undoing, var refusal)
          when ruling.kind() == Ruling.Kind.HAPPENED && refusal == null ->
          happened(step, undoing, at);
      case Accepted _,
          Waiting _,
          Answered _,
          AnswerLost _,
          TimedOut _,
          Skipped _,
          TurnedBack _,
          Undoing _,
          LeftUndone _,
          Signalled _,
          SettledBySignal _,
          Noted _,
          Ruled _,
          Held _,
          TakenOver _,
          Ended _,
          Remark _ -> {}
    }
  }

  private void sent(String step, Instant at) {
    sentLast = step.equals(name);
    if (!sentLast) return;
    attempts += 1;
    if (firstSentAt == null) firstSentAt = at;
  }

  private void answered(Answered answer, Instant at) {
    lastAt = at;
    if (answer.direction() == Direction.ASK) attempts += 1;
    boolean succeeded = answer.result() == Result.SUCCEEDED;
    if (!succeeded) lastError = error(answer);
    if (answer.direction() == Direction.UNDO) {
      undone |= succeeded;
    } else {
      done |= succeeded;
      if (!succeeded) failed = answer.result() == Result.FAILED;
    }
  }

  private static String error(Answered answer) {
    return answer.result() == Result.FAILED
        ? answer.code() + " (" + answer.detail() + ")"
        : answer.detail();
  }

  private void missed(String why, Instant at) {
    lastAt = at;
    failed = false;
    lastError = why;
  }

  private void settled(Result result, String code, Instant at) {
    lastAt = at;
    done |= result == Result.SUCCEEDED;
    failed = result == Result.FAILED;
    if (failed) lastError = code;
  }

  /// A person found out what the other side never said.
  private void happened(@Nullable String step, boolean undoing, Instant at) {
    if (step == null ? !sentLast : !Objects.equals(step, name)) return;
    lastAt = at;
    if (undoing) undone = true;
    else done = true;
  }

  /// How the step ended in a saga that has turned back past it.
  StepView.State atTheEnd() {
    if (undone) return StepView.State.UNDONE;
    if (failed && !done) return StepView.State.FAILED;
    if (done) return StepView.State.DONE;
    return attempts > 0 ? StepView.State.UNCLEAR : StepView.State.SKIPPED;
  }

  boolean isDone() {
    return done;
  }

  boolean isSkipped() {
    return skipped;
  }

  int attempts() {
    return attempts;
  }

  @Nullable Instant firstSentAt() {
    return firstSentAt;
  }

  @Nullable Instant lastAt() {
    return lastAt;
  }

  @Nullable String lastError() {
    return lastError;
  }
}
