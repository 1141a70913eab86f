package dev.tuntas.engine;

import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.Progress.Done;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Ready;
import dev.tuntas.engine.Progress.Sent;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Progress.Undone;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Failure.Cancelled;
import dev.tuntas.saga.Failure.Declined;

/// What follows from a ruling. Whatever cannot be done is refused with a sentence; nothing is
/// guessed.
final class Rulings {

  private static final String UNDER_WAY = "refused: a call is under way, its answer comes first";

  private Rulings() {}

  static <D> void apply(Turn<D> turn, Ruling ruling, long version) {
    var before = turn.progress;
    int place = turn.recorded();
    turn.verdict = "applied";
    if (ruling.kind().needsVersion() && ruling.seenVersion() != version) {
      turn.verdict =
          "refused: it has moved on since version " + ruling.seenVersion() + "; look again";
    } else {
      apply(turn, ruling);
    }
    var refusal = turn.verdict.startsWith("refused") ? turn.verdict : null;
    var about = before instanceof Held(var held, _) ? held : before;
    boolean undoing = about instanceof Undoing;
    turn.record(place, new HistoryEntry.Ruled(ruling, Transition.stepOf(about), undoing, refusal));
  }

  private static <D> void apply(Turn<D> turn, Ruling ruling) {
    switch (ruling.kind()) {
      case CANCEL -> cancel(turn, ruling);
      case RETRY -> retry(turn);
      case HAPPENED -> happened(turn);
      case DID_NOT_HAPPEN -> didNotHappen(turn, ruling);
      case GIVE_UP -> giveUp(turn, ruling);
      case SKIP -> skip(turn, ruling);
    }
  }

  private static <D> void cancel(Turn<D> turn, Ruling ruling) {
    switch (turn.progress) {
      case Ready ready -> wantCancel(turn, ready.step(), ruling);
      case Asking asking -> wantCancel(turn, asking.step(), ruling);
      case Held(Asking asking, _) -> wantCancel(turn, asking.step(), ruling);
      case Held(Ready ready, _) -> wantCancel(turn, ready.step(), ruling);
      case Sent sent -> wantCancel(turn, sent.step(), ruling);
      case Done _ -> turn.verdict = "refused: it is done";
      case Undoing _, Undone _, Held _ -> turn.verdict = "applied: it is undone or being undone";
    }
  }

  /// Noted; the turn's end acts on it as soon as it may, and a step in doubt must be known first.
  private static <D> void wantCancel(Turn<D> turn, String step, Ruling ruling) {
    int index = turn.saga.indexOf(step);
    if (turn.saga.isPastPivot(index)) {
      turn.verdict = "refused: the point of no return was passed";
      return;
    }
    turn.trail =
        turn.trail.cancel(new Cancelled("CANCELLED", ruling.actor() + ": " + ruling.reason()));
    if (turn.progress instanceof Held(var before, _)
        && (before instanceof Ready || turn.mayUndoInDoubt(index))) {
      turn.progress = before;
    }
    boolean actsNow =
        turn.progress instanceof Ready
            || (turn.progress instanceof Asking && turn.mayUndoInDoubt(index));
    if (!actsNow) turn.verdict = "noted: step " + step + " must be known first";
  }

  private static <D> void retry(Turn<D> turn) {
    switch (turn.progress) {
      case Ready(var step, int attempt, _) -> turn.progress = new Ready(step, attempt, turn.now);
      case Asking asking -> turn.progress = askNow(turn, asking);
      case Undoing(var step, int attempt, _, var late) ->
          turn.progress = new Undoing(step, attempt, turn.now, late);
      case Held(var before, _) -> resume(turn, before);
      case Sent _ -> turn.verdict = UNDER_WAY;
      case Done _, Undone _ -> turn.verdict = "refused: it has ended";
    }
  }

  private static <D> void resume(Turn<D> turn, Progress before) {
    turn.trail = turn.trail.restarted(turn.now);
    turn.progress =
        switch (before) {
          case Ready(var step, _, _) -> new Ready(step, 1, turn.now);
          case Asking asking -> askNow(turn, asking);
          case Undoing(var step, _, _, var late) -> new Undoing(step, 1, turn.now, late);
          case Sent _, Held _, Done _, Undone _ ->
              throw new IllegalStateException("nothing is held in " + before);
        };
    if (turn.progress instanceof Asking asking) {
      Signals.settleByMail(turn, turn.saga.indexOf(asking.step()));
    }
  }

  private static <D> Asking askNow(Turn<D> turn, Asking asking) {
    var step = turn.saga.steps().get(turn.saga.indexOf(asking.step()));
    var askAt = step.asker() == null ? null : turn.now;
    return new Asking(asking.step(), asking.attempt(), asking.asks(), askAt, asking.quietAt());
  }

  private static <D> void happened(Turn<D> turn) {
    switch (turn.progress) {
      case Asking asking -> done(turn, asking.step());
      case Held(Asking asking, _) -> done(turn, asking.step());
      case Held(Ready ready, _) -> done(turn, ready.step());
      case Undoing undoing -> undone(turn, undoing);
      case Held(Undoing undoing, _) -> undone(turn, undoing);
      case Sent _ -> turn.verdict = UNDER_WAY;
      case Ready _ -> turn.verdict = "refused: the step was not sent, so it did not happen";
      case Held _, Done _, Undone _ -> turn.verdict = "refused: nothing is in doubt";
    }
  }

  private static <D> void done(Turn<D> turn, String name) {
    int index = turn.saga.indexOf(name);
    turn.stepDone(index, turn.saga.steps().get(index).ruledHappened(turn.data));
  }

  private static <D> void undone(Turn<D> turn, Undoing undoing) {
    turn.nextUndo(undoing.late() == null ? turn.saga.indexOf(undoing.step()) - 1 : -1);
  }

  private static <D> void didNotHappen(Turn<D> turn, Ruling ruling) {
    switch (turn.progress) {
      case Asking asking -> didNotHappen(turn, asking, ruling);
      case Held(Asking asking, _) -> didNotHappen(turn, asking, ruling);
      case Held(Undoing undoing, _) -> resume(turn, undoing);
      case Sent _ -> turn.verdict = UNDER_WAY;
      case Ready _, Undoing _, Held _, Done _, Undone _ ->
          turn.verdict = "refused: nothing is in doubt";
    }
  }

  private static <D> void didNotHappen(Turn<D> turn, Asking asking, Ruling ruling) {
    if (turn.now.isBefore(asking.quietAt())) {
      turn.verdict = "refused: a call may still be under way until " + asking.quietAt();
      return;
    }
    int index = turn.saga.indexOf(asking.step());
    if (turn.saga.isPastPivot(index)) resume(turn, turn.afresh(index));
    else turn.fail(index, new Declined("RULED", ruling.actor() + ": " + ruling.reason()));
  }

  private static <D> void giveUp(Turn<D> turn, Ruling ruling) {
    var why = new Cancelled("GIVEN_UP", ruling.actor() + ": " + ruling.reason());
    switch (turn.progress) {
      case Ready ready -> giveUpForward(turn, ready.step(), why);
      case Asking asking -> giveUpInDoubt(turn, asking, why);
      case Held(Asking asking, _) -> giveUpInDoubt(turn, asking, why);
      case Held(Ready ready, _) -> giveUpForward(turn, ready.step(), why);
      case Held(Undoing undoing, _) -> {
        turn.record(new HistoryEntry.LeftUndone(undoing.step()));
        turn.trail = turn.trail.leaving(undoing.step());
        undone(turn, undoing);
      }
      case Undoing _ -> turn.verdict = "refused: the undo is still being tried";
      case Sent _ -> turn.verdict = UNDER_WAY;
      case Held _, Done _, Undone _ -> turn.verdict = "refused: nothing is being tried";
    }
  }

  private static <D> void giveUpForward(Turn<D> turn, String step, Failure why) {
    int index = turn.saga.indexOf(step);
    if (turn.saga.isPastPivot(index)) {
      turn.verdict = "refused: the point of no return was passed; retry, or say that it happened";
    } else {
      turn.turnBack(index, why);
    }
  }

  private static <D> void giveUpInDoubt(Turn<D> turn, Asking asking, Failure why) {
    int index = turn.saga.indexOf(asking.step());
    if (!turn.mayUndoInDoubt(index)) {
      turn.verdict = "refused: first say whether " + asking.step() + " happened";
    } else if (turn.now.isBefore(asking.quietAt())) {
      turn.verdict = "refused: a call may still be under way until " + asking.quietAt();
    } else {
      turn.undoFrom(index, index, why);
    }
  }

  private static <D> void skip(Turn<D> turn, Ruling ruling) {
    var progress = turn.progress instanceof Held(var before, _) ? before : turn.progress;
    if (progress instanceof Sent) {
      turn.verdict = UNDER_WAY;
      return;
    }
    var step = progress instanceof Undoing ? null : Transition.stepOf(progress);
    if (step == null || !turn.saga.steps().get(turn.saga.indexOf(step)).isOptional()) {
      turn.verdict = "refused: only an optional step can be skipped";
      return;
    }
    int index = turn.saga.indexOf(step);
    var why = new Declined("SKIPPED", ruling.actor() + ": " + ruling.reason());
    if (progress instanceof Asking asking) {
      if (!turn.saga.isPastPivot(index) && turn.now.isBefore(asking.quietAt())) {
        turn.verdict = "refused: a call may still be under way until " + asking.quietAt();
        return;
      }
      turn.goOnInDoubt(index, why);
    } else {
      turn.goOnWithout(index, why, !turn.trail.stepDoubted());
    }
  }
}
