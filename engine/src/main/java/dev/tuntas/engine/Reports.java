package dev.tuntas.engine;

import dev.tuntas.engine.HistoryEntry.Answered;
import dev.tuntas.engine.HistoryEntry.Result;
import dev.tuntas.engine.Next.Direction;
import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.Progress.Done;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Ready;
import dev.tuntas.engine.Progress.Sent;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Progress.Undone;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Failure.Absent;
import dev.tuntas.saga.Failure.Unavailable;
import dev.tuntas.saga.Moment;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Failed;
import dev.tuntas.saga.Outcome.Succeeded;
import dev.tuntas.saga.Outcome.Unclear;
import dev.tuntas.saga.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What follows from the report of a call: of a step, of a question, of an undo.
final class Reports {

  private static final Duration RETRY_AFTER_MAX = Duration.ofHours(1);

  private Reports() {}

  static <D> void apply(Turn<D> turn, Outcome<D> outcome, boolean partnerAway) {
    switch (turn.progress) {
      case Sent sent -> ofAction(turn, sent, outcome);
      case Asking asking -> ofQuestion(turn, asking, outcome);
      case Undoing undoing -> ofUndo(turn, undoing, outcome, partnerAway);
      case Ready _, Held _, Done _, Undone _ -> turn.remark("an answer came that nobody waits for");
    }
  }

  private static <D> void ofAction(Turn<D> turn, Sent sent, Outcome<D> outcome) {
    int index = turn.saga.indexOf(sent.step());
    var step = turn.saga.steps().get(index);
    turn.record(answered(Direction.DO, step.name(), outcome));
    switch (outcome) {
      case Succeeded<D>(var data) -> turn.stepDone(index, data);
      case Unclear<D> _ ->
          turn.doubt(index, sent.attempt(), turn.firstAsk(step), sent.at().plus(step.timeout()));
      case Failed<D>(var failure) -> {
        if (Signals.saysItHappened(turn, index)) return;
        if (failure instanceof Unavailable away) retryOrFail(turn, index, sent.attempt(), away);
        else turn.fail(index, failure);
      }
    }
  }

  private static <D> void ofQuestion(Turn<D> turn, Asking asking, Outcome<D> outcome) {
    int index = turn.saga.indexOf(asking.step());
    turn.record(answered(Direction.ASK, asking.step(), outcome));
    switch (outcome) {
      case Succeeded<D>(var data) -> turn.stepDone(index, data);
      case Unclear<D> _ -> askAgain(turn, index, asking, null);
      case Failed<D>(Unavailable away) -> askAgain(turn, index, asking, away);
      case Failed<D>(Absent absent) -> ofAbsence(turn, index, asking, absent);
      case Failed<D>(var failure) -> turn.fail(index, failure);
    }
  }

  /// "Not found" is believed only when no call can still be under way; then it is safe to send
  /// again.
  private static <D> void ofAbsence(Turn<D> turn, int index, Asking asking, Absent absent) {
    var step = turn.saga.steps().get(index);
    if (step.asksByRepeating() || step.waitsOnly() || turn.now.isBefore(asking.quietAt())) {
      askAgain(turn, index, asking, null);
    } else {
      retryOrFail(turn, index, asking.attempt(), absent);
    }
  }

  private static <D> void askAgain(
      Turn<D> turn, int index, Asking asking, @Nullable Unavailable away) {
    var step = turn.saga.steps().get(index);
    int asks = asking.asks() + 1;
    var wait = step.ask(turn.data).after(asks, turn.salt(index), away == null);
    var askAt = at(turn, wait, away);
    turn.progress = new Asking(asking.step(), asking.attempt(), asks, askAt, asking.quietAt());
  }

  private static <D> void retryOrFail(Turn<D> turn, int index, int attempt, Failure failure) {
    var step = turn.saga.steps().get(index);
    var policy = step.retry();
    var away = failure instanceof Unavailable unavailable ? unavailable : null;
    var again = at(turn, index, policy, attempt, away);
    turn.trail = turn.trail.withFailure(turn.now);
    var last = Turn.plus(turn.trail.stepFailedAt(), policy.elapsedMax());
    boolean ours = away != null && away.ours();
    if ((ours || attempt < policy.attemptsMax()) && !again.isAfter(last)) {
      // What our own side could not do was no attempt.
      turn.progress = new Ready(step.name(), ours ? attempt : attempt + 1, again);
    } else {
      turn.fail(index, failure);
    }
  }

  private static <D> void ofUndo(
      Turn<D> turn, Undoing undoing, Outcome<D> outcome, boolean partnerAway) {
    int index = turn.saga.indexOf(undoing.step());
    turn.record(answered(Direction.UNDO, undoing.step(), outcome));
    switch (outcome) {
      case Succeeded<D>(var data) -> {
        turn.data = data;
        turn.nextUndo(undoing.late() == null ? index - 1 : -1);
      }
      case Failed<D>(Unavailable away) when away.ours() -> undoAgain(turn, index, undoing);
      case Unclear<D>(_, var doubt) when doubt == Outcome.Doubt.OURS ->
          undoAgain(turn, index, undoing);
      case Failed<D>(Unavailable away) -> repeatUndo(turn, index, undoing, away, partnerAway);
      case Unclear<D> _ -> repeatUndo(turn, index, undoing, null, partnerAway);
      // Who refuses our key refuses it until somebody does something about it.
      case Failed<D>(Failure.Barred _) -> repeatUndo(turn, index, undoing, null, false);
      case Failed<D>(var failure) -> deadLetter(turn, undoing, failure.detail());
    }
  }

  /// What our own side could not do was no attempt.
  private static <D> void undoAgain(Turn<D> turn, int index, Undoing undoing) {
    var policy = turn.saga.steps().get(index).undoRetry();
    var again = at(turn, index, policy, undoing.attempt(), null);
    turn.progress = new Undoing(undoing.step(), undoing.attempt(), again, undoing.late());
  }

  /// While the partner fails everybody, no undo is given up: a person would have to do for each
  /// saga what waiting does for all.
  private static <D> void repeatUndo(
      Turn<D> turn, int index, Undoing undoing, @Nullable Unavailable away, boolean partnerAway) {
    var policy = turn.saga.steps().get(index).undoRetry();
    int attempt = undoing.attempt();
    if (!partnerAway && attempt >= policy.attemptsMax()) {
      deadLetter(turn, undoing, "no success in " + attempt + " attempts");
      return;
    }
    var again = at(turn, index, policy, attempt, away);
    turn.progress = new Undoing(undoing.step(), attempt + 1, again, undoing.late());
  }

  private static <D> void deadLetter(Turn<D> turn, Undoing undoing, String detail) {
    var why = new Failure.Declined("COMPENSATION_FAILED", undoing.step() + ": " + detail);
    turn.hold(undoing, why, Moment.Kind.COMPENSATION_FAILED);
  }

  private static Instant at(
      Turn<?> turn, int index, RetryPolicy policy, int attempt, @Nullable Unavailable away) {
    return at(turn, policy.after(attempt, turn.salt(index)), away);
  }

  private static Instant at(Turn<?> turn, Duration wait, @Nullable Unavailable away) {
    var asked = away == null ? null : away.retryAfter();
    if (asked == null || asked.compareTo(wait) <= 0) return turn.now.plus(wait);
    return turn.now.plus(asked.compareTo(RETRY_AFTER_MAX) > 0 ? RETRY_AFTER_MAX : asked);
  }

  private static Answered answered(Direction direction, String step, Outcome<?> outcome) {
    return switch (outcome) {
      case Succeeded<?> _ -> new Answered(direction, step, Result.SUCCEEDED, "", "");
      case Failed<?>(var failure) ->
          new Answered(direction, step, Result.FAILED, failure.code(), failure.detail());
      case Unclear<?>(var why, var doubt) -> {
        var result = doubt == Outcome.Doubt.PENDING ? Result.PENDING : Result.UNCLEAR;
        yield new Answered(direction, step, result, "", why);
      }
    };
  }
}
