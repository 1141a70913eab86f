package dev.tuntas.engine;

import dev.tuntas.engine.HistoryEntry.Noted;
import dev.tuntas.engine.HistoryEntry.Result;
import dev.tuntas.engine.HistoryEntry.SettledBySignal;
import dev.tuntas.engine.HistoryEntry.Signalled;
import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.Progress.Done;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Ready;
import dev.tuntas.engine.Progress.Sent;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Progress.Undone;
import dev.tuntas.saga.Late;
import dev.tuntas.saga.Moment;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Failed;
import dev.tuntas.saga.Outcome.Succeeded;
import dev.tuntas.saga.Outcome.Unclear;
import dev.tuntas.saga.Signal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What follows from a signal: an answer to the step that waits, mail for one that does not wait
/// yet, or news that comes too late.
final class Signals {

  private static final int MAIL_MAX = 64;
  private static final int MAIL_SIZE_MAX = 256 * 1024;

  private Signals() {}

  static <D> void apply(Turn<D> turn, Signal signal) {
    turn.record(new Signalled(signal.name(), signal.source(), signal.externalId()));
    switch (turn.progress) {
      case Ready ready -> whileForward(turn, turn.saga.indexOf(ready.step()), signal, true);
      case Asking asking -> whileForward(turn, turn.saga.indexOf(asking.step()), signal, true);
      case Sent sent -> whileForward(turn, turn.saga.indexOf(sent.step()), signal, false);
      case Held(var before, _) -> whileHeld(turn, before, signal);
      case Undoing _ -> turn.verdict = late(turn, signal, Late.Phase.UNDOING);
      case Done _ -> turn.verdict = late(turn, signal, Late.Phase.DONE);
      case Undone _ -> turn.verdict = late(turn, signal, Late.Phase.UNDONE);
    }
  }

  /// What came while the saga's data could not be read.
  static <D> void hearUnheard(Turn<D> turn) {
    var signals = turn.trail.unheard();
    if (signals.isEmpty()) return;
    turn.trail = turn.trail.unheard(List.of());
    for (var signal : signals) apply(turn, signal);
    turn.verdict = "";
  }

  static boolean isRoomFor(Signal signal, List<Signal> kept) {
    int size = kept.stream().mapToInt(it -> it.body().length()).sum();
    return kept.size() < MAIL_MAX && size + signal.body().length() <= MAIL_SIZE_MAX;
  }

  private static <D> void whileHeld(Turn<D> turn, Progress before, Signal signal) {
    switch (before) {
      case Ready ready -> whileForward(turn, turn.saga.indexOf(ready.step()), signal, true);
      case Asking asking -> whileForward(turn, turn.saga.indexOf(asking.step()), signal, true);
      case Undoing _ -> turn.verdict = late(turn, signal, Late.Phase.UNDOING);
      case Sent _, Held _, Done _, Undone _ ->
          throw new IllegalStateException("nothing is held in " + before);
    }
  }

  /// While a call is under way its answer is heard first; the signal waits beside it.
  private static <D> void whileForward(Turn<D> turn, int current, Signal signal, boolean now) {
    int index = turn.saga.indexOfSignal(signal.name());
    if (index > current || (index == current && !now)) {
      keep(turn, signal);
    } else if (index == current) {
      settle(turn, index, signal);
    } else {
      turn.verdict = late(turn, signal, Late.Phase.RUNNING);
    }
  }

  private static <D> void keep(Turn<D> turn, Signal signal) {
    if (!isRoomFor(signal, turn.trail.mail())) {
      turn.verdict = "refused: too many signals wait for their step already";
      return;
    }
    turn.trail = turn.trail.mailPlus(signal);
    turn.verdict = "kept";
  }

  /// Whether the signal decided the step.
  private static <D> boolean settle(Turn<D> turn, int index, Signal signal) {
    var outcome = read(turn, index, signal);
    if (outcome == null) return false;
    var step = turn.saga.steps().get(index).name();
    turn.verdict = "applied";
    switch (outcome) {
      case Succeeded<D>(var data) -> {
        turn.record(new SettledBySignal(step, Result.SUCCEEDED, ""));
        turn.stepDone(index, data);
      }
      case Failed<D>(var failure) -> {
        turn.record(new SettledBySignal(step, Result.FAILED, failure.code()));
        turn.fail(index, failure);
      }
      case Unclear<D>(var why, _) -> {
        turn.remark("it says nothing new: " + why);
        turn.verdict = "redundant";
        return false;
      }
    }
    return true;
  }

  private static <D> @Nullable Outcome<D> read(Turn<D> turn, int index, Signal signal) {
    var handler = turn.saga.steps().get(index).onSignal();
    if (handler == null) return null;
    try {
      return handler.read(turn.data, signal);
    } catch (RuntimeException surprise) {
      turn.remark("it could not be read: " + surprise);
      turn.verdict = "refused: it could not be read";
      return null;
    }
  }

  /// Signals that came before their step was ready for them are heard now, in their order.
  static <D> void settleByMail(Turn<D> turn, int index) {
    var verdict = turn.verdict; // about what was said now, not about what was kept
    for (var signal : mailFor(turn, index)) {
      forget(turn, signal);
      turn.remark("signal " + signal.name() + " had come before");
      boolean settled = settle(turn, index, signal);
      turn.verdict = verdict;
      if (settled) return;
    }
  }

  /// A call failed, but a signal said that the effect is there: evidence beats denial.
  static <D> boolean saysItHappened(Turn<D> turn, int index) {
    for (var signal : mailFor(turn, index)) {
      if (!(read(turn, index, signal) instanceof Succeeded<D>(var data))) continue;
      forget(turn, signal);
      turn.remark("but signal " + signal.name() + " says that it happened");
      turn.record(new SettledBySignal(turn.saga.steps().get(index).name(), Result.SUCCEEDED, ""));
      turn.stepDone(index, data);
      return true;
    }
    return false;
  }

  /// The step is over: what was kept for it comes too late.
  static <D> void dropPassedMail(Turn<D> turn, int index) {
    for (var signal : mailFor(turn, index)) {
      forget(turn, signal);
      late(turn, signal, Late.Phase.RUNNING);
    }
  }

  static <D> void dropAllMail(Turn<D> turn) {
    for (var signal : turn.trail.mail()) {
      forget(turn, signal);
      late(turn, signal, Late.Phase.UNDOING);
    }
  }

  private static <D> List<Signal> mailFor(Turn<D> turn, int index) {
    var name = turn.saga.steps().get(index).signal();
    if (name == null || turn.trail.mail().isEmpty()) return List.of();
    return turn.trail.mail().stream().filter(signal -> signal.name().equals(name)).toList();
  }

  private static <D> void forget(Turn<D> turn, Signal signal) {
    var rest = new ArrayList<>(turn.trail.mail());
    rest.remove(signal);
    turn.trail = turn.trail.mail(rest);
  }

  /// Reports a signal that comes too late to the definition, and says what became of it.
  private static <D> String late(Turn<D> turn, Signal signal, Late.Phase phase) {
    turn.announce(Moment.Kind.LATE_SIGNAL, null);
    Late<D> answer;
    try {
      var context = new Late.Context<>(turn.data, phase, turn.trail.cause(), turn.trail.facts());
      answer = turn.saga.onLateSignal().on(signal, context);
    } catch (RuntimeException surprise) {
      turn.remark("the handler of late signals threw " + surprise);
      return "late: its handler failed";
    }
    return switch (answer) {
      case Late.Ignore<D> _ -> "late";
      case Late.Announce<D>(var notice) -> {
        turn.announce(notice);
        yield "late: announced";
      }
      case Late.Note<D>(var name, var value, var notices) -> {
        turn.trail = turn.trail.fact(name, value);
        turn.record(new Noted(name, value));
        notices.forEach(turn::announce);
        yield "noted";
      }
      case Late.Undo<D>(var step, var data) -> undoLate(turn, signal, phase, step, data);
    };
  }

  private static <D> String undoLate(
      Turn<D> turn, Signal signal, Late.Phase phase, String step, D data) {
    if (phase == Late.Phase.RUNNING || phase == Late.Phase.DONE) {
      return "late: it cannot be undone, the saga is not turning back";
    }
    if (turn.saga.steps().stream().noneMatch(s -> s.name().equals(step) && s.undo() != null)) {
      return "late: step " + step + " has no undo";
    }
    turn.data = data;
    var undos = new ArrayList<>(turn.trail.lateUndos());
    undos.add(new Trail.LateUndo(step, signal.externalId()));
    turn.trail = turn.trail.lateUndos(undos);
    turn.remark("its effect will be undone");
    if (phase == Late.Phase.UNDONE) turn.nextUndo(-1);
    return "applied";
  }
}
