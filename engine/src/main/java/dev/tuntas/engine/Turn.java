package dev.tuntas.engine;

import static dev.tuntas.saga.GiveUp.How.UNDO;

import dev.tuntas.engine.Next.Direction;
import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.Progress.Done;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Ready;
import dev.tuntas.engine.Progress.Sent;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Progress.Undone;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Failure.Expired;
import dev.tuntas.saga.Moment;
import dev.tuntas.saga.Notice;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One decision in the making: the moves a saga can make, and what is recorded and announced on the
/// way. It reads no clock and calls nobody outside the definition's pure functions.
final class Turn<D> {

  final SagaDefinition<D> saga;
  final String id;
  final Instant now;
  Progress progress;
  Trail trail;
  D data;
  String verdict = "";
  private List<Notice> notices = List.of();
  private final List<HistoryEntry> history = new ArrayList<>(4);

  Turn(SagaDefinition<D> saga, String id, State<D> state, Instant now) {
    this.saga = saga;
    this.id = id;
    this.now = now;
    this.progress = state.progress();
    this.trail = state.trail();
    this.data = state.data();
  }

  // Forward

  void enter(int index) {
    if (index == saga.steps().size()) {
      progress = new Done();
      record(new HistoryEntry.Ended(Status.DONE));
      announce(Moment.Kind.DONE, null);
      return;
    }
    var step = saga.steps().get(index);
    trail = trail.entered(now);
    progress = afresh(index);
    if (!step.waitsOnly()) return;
    record(new HistoryEntry.Waiting(step.name()));
    Signals.settleByMail(this, index);
  }

  /// The step from its beginning: one that only waits has nothing to call.
  Progress afresh(int index) {
    var step = saga.steps().get(index);
    return step.waitsOnly()
        ? new Asking(step.name(), 1, 0, firstAsk(step), now)
        : new Ready(step.name(), 1, now);
  }

  void stepDone(int index, D after) {
    var step = saga.steps().get(index);
    data = after;
    announce(Moment.Kind.STEP_DONE, null, step.name());
    var wanted = trail.cancel();
    if (wanted != null && !saga.isPastPivot(index) && !step.isPivot()) {
      undoFrom(index, index, wanted);
      return;
    }
    if (wanted != null) {
      remark("too late to cancel: the point of no return was passed");
      trail = trail.cancel(null);
    }
    Signals.dropPassedMail(this, index);
    enter(index + 1);
  }

  void fail(int index, Failure failure) {
    var step = saga.steps().get(index);
    if (step.isOptional()) {
      goOnWithout(index, failure, failure instanceof Failure.Declined || !trail.stepDoubted());
    } else if (saga.isPastPivot(index)) {
      hold(afresh(index), failure);
    } else if (failure instanceof Failure.Declined) {
      undoFrom(
          index - 1, index, failure); // the other side decided: whatever still arrives meets that
    } else {
      turnBack(index, failure);
    }
  }

  /// Leaves an optional step behind. If it is not known that it did not happen, it may yet arrive,
  /// so that turning back undoes it.
  void goOnWithout(int index, Failure why, boolean known) {
    var name = saga.steps().get(index).name();
    record(new HistoryEntry.Skipped(name, true));
    if (known) trail = trail.skipping(name);
    announce(Moment.Kind.STEP_SKIPPED, why, name);
    enter(index + 1);
  }

  /// Turns back before a step that is not in doubt now. If an earlier attempt was, it may yet
  /// arrive, and must meet the undo's tombstone.
  void turnBack(int index, Failure cause) {
    undoFrom(trail.stepDoubted() && canUndo(index) ? index : index - 1, index, cause);
  }

  /// The effect may have happened, and what was sent may still be under way until `quietAt`.
  void doubt(int index, int attempt, @Nullable Instant askAt, Instant quietAt) {
    var step = saga.steps().get(index);
    trail = trail.withDoubt(now);
    var ask = step.asker() == null ? null : askAt;
    progress = new Asking(step.name(), attempt, 0, ask, quietAt);
    Signals.settleByMail(this, index);
  }

  @Nullable Instant firstAsk(Step<D> step) {
    return step.asker() == null ? null : now.plus(step.ask(data).first());
  }

  // Backward

  /// @param from the last step to undo
  /// @param at the step that the saga stands at: it failed, unless somebody cancelled
  void undoFrom(int from, int at, Failure cause) {
    var failed = cause instanceof Failure.Cancelled ? null : saga.steps().get(at).name();
    record(new HistoryEntry.TurnedBack(failed, cause.code()));
    trail = trail.turned(cause, failed).cancel(null);
    announce(Moment.Kind.UNDOING, cause);
    Signals.dropAllMail(this);
    nextUndo(from);
  }

  void nextUndo(int from) {
    for (int i = from; i >= 0; i--) {
      var step = saga.steps().get(i);
      if (step.undo() != null && !trail.skipped().contains(step.name())) {
        undo(step, null);
        return;
      }
    }
    if (!trail.lateUndos().isEmpty()) {
      var first = trail.lateUndos().getFirst();
      trail = trail.lateUndos(trail.lateUndos().subList(1, trail.lateUndos().size()));
      undo(saga.steps().get(saga.indexOf(first.step())), first.externalId());
      return;
    }
    progress = new Undone();
    record(new HistoryEntry.Ended(Status.UNDONE));
    if (!trail.ended()) announce(Moment.Kind.UNDONE, trail.cause());
    trail = trail.withEnd();
  }

  private void undo(Step<D> step, @Nullable String late) {
    progress = new Undoing(step.name(), 1, now, late);
    record(new HistoryEntry.Undoing(step.name(), undoKey(step, late)));
  }

  // A person

  void hold(Progress before, Failure why) {
    hold(before, why, Moment.Kind.HELD);
  }

  void hold(Progress before, Failure why, Moment.Kind moment) {
    progress = new Held(before, why);
    record(new HistoryEntry.Held(why.code(), ""));
    announce(moment, why, Transition.stepOf(before));
  }

  // What is next

  /// Completes the decision: gives up what ran out of time, then says what the saga does now.
  Decision<D> decide() {
    var next = next();
    return new Decision<>(
        new State<>(progress, trail, data), next, notices, List.copyOf(history), verdict);
  }

  private Next next() {
    return switch (progress) {
      case Ready ready -> nextOf(ready);
      case Asking asking -> nextOf(asking);
      case Undoing undoing -> nextOf(undoing);
      case Sent _ -> new Next.Await();
      case Held _ -> new Next.Rest(Status.HELD);
      case Done _ -> new Next.Rest(Status.DONE);
      case Undone _ -> new Next.Rest(Status.UNDONE);
    };
  }

  private Next nextOf(Ready ready) {
    int index = saga.indexOf(ready.step());
    var step = saga.steps().get(index);
    var wanted = trail.cancel();
    if (wanted != null && !saga.isPastPivot(index)) {
      turnBack(index, wanted);
      return next();
    }
    var end = expiry(index);
    if (!now.isBefore(end)) {
      record(new HistoryEntry.TimedOut(step.name()));
      fail(index, new Expired("DEADLINE", "step " + step.name() + " was not done in time"));
      return next();
    }
    var queue = new Next.Queue(step.lane(), Next.Rank.ACT, end);
    if (now.isBefore(ready.at())) return new Next.Sleep(earlier(ready.at(), end), queue);
    var call = new Call(id, step.name(), step.keyFor(id), ready.attempt(), step.timeout());
    return new Next.Make(Direction.DO, call, queue);
  }

  private Next nextOf(Asking asking) {
    int index = saga.indexOf(asking.step());
    var step = saga.steps().get(index);
    var wanted = wantedEndOfDoubt(index, asking);
    // Doubt that will be undone lasts until no call can still be under way.
    boolean undoable = mayUndoInDoubt(index) || (step.isOptional() && !saga.isPastPivot(index));
    var end = undoable ? later(wanted, asking.quietAt()) : wanted;
    var askAt = asking.askAt();
    boolean unasked = asking.asks() == 0 && askAt != null && !now.isBefore(askAt);
    if (!now.isBefore(end) && (undoable || !unasked)) {
      giveUp(index, asking);
      return next();
    }
    // What is about to be undone is not sent once more.
    boolean turning =
        undoable
            && step.asksByRepeating()
            && !now.isBefore(wanted)
            && (asking.asks() > 0 || trail.cancel() != null);
    var queue =
        new Next.Queue(step.lane(), rank(step, asking), undoable || !unasked ? end : Instant.MAX);
    if (askAt == null || turning) return new Next.Sleep(end, queue);
    if (now.isBefore(askAt)) return new Next.Sleep(earlier(askAt, end), queue);
    var call = new Call(id, step.name(), step.keyFor(id), asking.asks() + 1, step.timeout());
    return new Next.Make(Direction.ASK, call, queue);
  }

  private static Next.Rank rank(Step<?> step, Asking asking) {
    if (step.asksByRepeating()) return Next.Rank.ACT;
    return asking.asks() == 0 ? Next.Rank.FIRST : Next.Rank.AGAIN;
  }

  private Next nextOf(Undoing undoing) {
    var step = saga.steps().get(saga.indexOf(undoing.step()));
    var queue = new Next.Queue(step.lane(), Next.Rank.ACT, Instant.MAX);
    if (now.isBefore(undoing.at())) return new Next.Sleep(undoing.at(), queue);
    var key = undoKey(step, undoing.late());
    var call = new Call(id, step.name(), key, undoing.attempt(), step.undoTimeout());
    return new Next.Make(Direction.UNDO, call, queue);
  }

  private void giveUp(int index, Asking asking) {
    var step = saga.steps().get(index);
    var wanted = trail.cancel();
    var why =
        wanted != null && mayUndoInDoubt(index)
            ? wanted
            : new Expired(
                "STILL_UNCLEAR", "nobody could tell whether " + step.name() + " happened");
    if (step.isOptional()) {
      goOnInDoubt(index, why);
    } else if (mayUndoInDoubt(index)) {
      undoFrom(index, index, why);
    } else {
      hold(asking, why);
    }
  }

  boolean canUndo(int index) {
    return !saga.isPastPivot(index) && saga.steps().get(index).undo() != null;
  }

  /// An optional step may have happened: the saga goes on, and would undo it.
  void goOnInDoubt(int index, Failure why) {
    var step = saga.steps().get(index);
    record(new HistoryEntry.Skipped(step.name(), false));
    announce(Moment.Kind.STEP_SKIPPED, why, step.name());
    enter(index + 1);
  }

  /// Whether doubt about this step may be ended by undoing it together with the others.
  boolean mayUndoInDoubt(int index) {
    var step = saga.steps().get(index);
    return !saga.isPastPivot(index) && !step.isPivot() && step.giveUp().how() == UNDO;
  }

  /// When doubt would end if nothing could be under way any more.
  private Instant wantedEndOfDoubt(int index, Asking asking) {
    var step = saga.steps().get(index);
    if (step.isOptional() && asking.asks() >= step.retry().attemptsMax()) return now;
    var end = plus(trail.stepDoubtedAt(), step.giveUp().after());
    if (!mayUndoInDoubt(index)) return end;
    return trail.cancel() != null ? now : earlier(end, expiry(index));
  }

  /// When a step that is not in doubt runs out of time.
  private Instant expiry(int index) {
    var step = saga.steps().get(index);
    var end = Instant.MAX;
    if (step.deadline() != null) end = plus(trail.stepSince(), step.deadline());
    if (step.until() != null) end = earlier(end, step.until().apply(data));
    if (saga.isPastPivot(index) || saga.deadline() == null) return end;
    return earlier(end, plus(trail.acceptedAt(), saga.deadline()));
  }

  String undoKey(Step<D> step, @Nullable String late) {
    var key = step.undoKeyFor(id);
    return late == null ? key : key + "/" + late;
  }

  long salt(int index) {
    return id.hashCode() * 131L + index;
  }

  // What is told

  void record(HistoryEntry entry) {
    history.add(entry);
  }

  /// How many entries there are.
  int recorded() {
    return history.size();
  }

  /// Before what follows from it.
  void record(int place, HistoryEntry entry) {
    history.add(place, entry);
  }

  /// For people only.
  void remark(String sentence) {
    record(new HistoryEntry.Remark(sentence));
  }

  void announce(Moment.Kind kind, @Nullable Failure cause) {
    announce(kind, cause, Transition.stepOf(progress));
  }

  void announce(Moment.Kind kind, @Nullable Failure cause, @Nullable String step) {
    int asks = progress instanceof Asking asking ? asking.asks() : 0;
    var around =
        new Moment.Around(
            now, asks, trail.facts(), trail.cause(), trail.causeStep(), trail.leftUndone());
    var moment = new Moment<>(kind, id, saga.name(), step, cause, trail.doubted(), data, around);
    try {
      for (var notice : saga.announcer().at(moment)) announce(notice);
    } catch (RuntimeException bug) {
      // Elsewhere this brings the saga before a person; here it is already on its way there.
      if (kind != Moment.Kind.HELD && kind != Moment.Kind.COMPENSATION_FAILED) throw bug;
      remark("its announcer threw " + bug);
    }
  }

  void announce(Notice notice) {
    if (notices.isEmpty()) notices = new ArrayList<>(2);
    notices.add(notice);
  }

  static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  static Instant plus(Instant start, Duration span) {
    return start.plus(span.compareTo(FOREVER) > 0 ? FOREVER : span);
  }

  private static final Duration FOREVER = Duration.ofDays(36_500);
}
