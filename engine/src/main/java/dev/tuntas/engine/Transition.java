package dev.tuntas.engine;

import dev.tuntas.engine.Event.Abandoned;
import dev.tuntas.engine.Event.Due;
import dev.tuntas.engine.Event.Reported;
import dev.tuntas.engine.Event.Ruled;
import dev.tuntas.engine.Event.Seized;
import dev.tuntas.engine.Event.Told;
import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.Progress.Done;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Ready;
import dev.tuntas.engine.Progress.Sent;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Progress.Undone;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Moment;
import dev.tuntas.saga.SagaDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What follows from what: the whole engine as one pure function. It reads no clock, no store and
/// no random source, so that the same engine runs in real time and in the simulator.
public final class Transition implements Decider {

  /// The first decision about a new saga.
  @Override
  public <D> Decision<D> start(SagaDefinition<D> saga, String id, D data, Instant now) {
    // The progress given here is replaced by entering the first step.
    var turn = new Turn<>(saga, id, new State<>(new Undone(), Trail.from(now), data), now);
    turn.record(new HistoryEntry.Accepted());
    turn.announce(Moment.Kind.STARTED, null);
    turn.enter(0);
    return turn.decide();
  }

  @Override
  public <D> Decision<D> next(
      SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
    var turn = new Turn<>(saga, id, state, now);
    if (!(event instanceof Seized)) Signals.hearUnheard(turn);
    switch (event) {
      case Due<D> _ -> {} // deciding what is next is all there is to do
      case Reported<D>(var outcome, boolean away) -> Reports.apply(turn, outcome, away);
      case Abandoned<D> _ -> abandoned(turn);
      case Told<D>(var signal) -> Signals.apply(turn, signal);
      case Ruled<D>(var ruling, long version) -> Rulings.apply(turn, ruling, version);
      case Seized<D>(var why) -> seized(turn, why);
    }
    return turn.decide();
  }

  /// The same decision with its call noted as sent: to be used with the lane's permit in hand.
  static <D> Decision<D> send(SagaDefinition<D> saga, Decision<D> decision, Instant now) {
    if (!(decision.next() instanceof Next.Make make)) return decision;
    return switch (decision.state().progress()) {
      case Ready ready -> sent(decision, ready, make, now);
      case Asking asking when saga.steps().get(saga.indexOf(asking.step())).asksByRepeating() ->
          repeated(decision, asking, now.plus(make.call().timeout()));
      case Asking _, Undoing _, Sent _, Held _, Done _, Undone _ -> decision;
    };
  }

  private static <D> Decision<D> sent(
      Decision<D> decision, Ready ready, Next.Make make, Instant now) {
    var history = new ArrayList<>(decision.history());
    history.add(new HistoryEntry.Sent(ready.step(), ready.attempt(), make.call().key()));
    return with(decision, new Sent(ready.step(), ready.attempt(), now), history);
  }

  /// Known to this process only; a take-over assumes the worst anyway.
  private static <D> Decision<D> repeated(Decision<D> decision, Asking asking, Instant endsAt) {
    var quietAt = Turn.later(asking.quietAt(), endsAt);
    var progress =
        new Asking(asking.step(), asking.attempt(), asking.asks(), asking.askAt(), quietAt);
    return with(decision, progress, decision.history());
  }

  /// The state from the moment when its call is made: what was decided may have taken long to
  /// become durable. Known to this process only; a take-over assumes the worst anyway.
  static <D> State<D> calling(SagaDefinition<D> saga, State<D> state, Call call, Instant now) {
    var progress =
        switch (state.progress()) {
          case Sent(var step, int attempt, _) -> new Sent(step, attempt, now);
          case Asking(var step, int attempt, int asks, var askAt, var quietAt)
              when saga.steps().get(saga.indexOf(step)).asksByRepeating() ->
              new Asking(step, attempt, asks, askAt, Turn.later(quietAt, now.plus(call.timeout())));
          case Asking _, Ready _, Undoing _, Held _, Done _, Undone _ -> state.progress();
        };
    return new State<>(progress, state.trail(), state.data());
  }

  private static <D> Decision<D> with(
      Decision<D> decision, Progress progress, List<HistoryEntry> history) {
    var state = new State<>(progress, decision.state().trail(), decision.state().data());
    return new Decision<>(state, decision.next(), decision.notices(), history, decision.verdict());
  }

  /// Always recorded, so that no call is made before the store has confirmed who owns the saga now.
  private static <D> void abandoned(Turn<D> turn) {
    turn.record(new HistoryEntry.TakenOver());
    switch (turn.progress) {
      case Sent sent -> {
        int index = turn.saga.indexOf(sent.step());
        turn.record(new HistoryEntry.AnswerLost(sent.step()));
        turn.doubt(index, sent.attempt(), turn.now, quiet(turn, index));
      }
      case Asking(var step, int attempt, int asks, var askAt, var quietAt) -> {
        int index = turn.saga.indexOf(step);
        var definition = turn.saga.steps().get(index);
        if (!definition.asksByRepeating()) return;
        var quiet = Turn.later(quietAt, quiet(turn, index));
        turn.progress = new Asking(step, attempt, asks, askAt, quiet);
      }
      // Nothing was sent, or what is sent again is idempotent, or nothing is to be sent.
      case Ready _, Undoing _, Held _, Done _, Undone _ -> {}
    }
  }

  /// A call that a dead worker made before we took over has ended by then.
  private static Instant quiet(Turn<?> turn, int index) {
    return turn.now.plus(turn.saga.steps().get(index).timeout());
  }

  /// What follows from an event for a saga whose data cannot be read, and which was seized for
  /// that: it stays before a person. A signal is kept until the data can be read, a ruling is
  /// refused.
  static <D> Decision<D> unread(Decision<D> seized, Event<D> event, Failure why) {
    var progress = seized.state().progress();
    if (progress instanceof Held(var before, _)) progress = new Held(before, why);
    var trail = seized.state().trail();
    var verdict = "";
    if (event instanceof Told<D>(var signal)) {
      boolean room = Signals.isRoomFor(signal, trail.unheard());
      if (room) trail = trail.unheardPlus(signal);
      verdict = room ? "kept until the saga can be read" : "refused: too many signals are kept";
    } else if (event instanceof Ruled) {
      verdict = "refused: the saga cannot be read; mend the program or the data, then rule again";
    }
    var state = new State<>(progress, trail, seized.state().data());
    var held = List.<HistoryEntry>of(new HistoryEntry.Held(why.code(), why.detail()));
    return new Decision<>(state, new Next.Rest(Status.HELD), List.of(), held, verdict);
  }

  private static <D> void seized(Turn<D> turn, Failure why) {
    turn.verdict = "refused: " + why.code();
    switch (turn.progress) {
      case Sent sent -> {
        int index = turn.saga.indexOf(sent.step());
        var quietAt = quiet(turn, index);
        turn.trail = turn.trail.withDoubt(turn.now);
        turn.hold(new Asking(sent.step(), sent.attempt(), 0, turn.now, quietAt), why);
      }
      case Ready _, Asking _, Undoing _ -> turn.hold(turn.progress, why);
      case Held _, Done _, Undone _ -> turn.remark("could not be handled: " + why.code());
    }
  }

  /// The step a progress is about, or null at the end.
  static @Nullable String stepOf(Progress progress) {
    return switch (progress) {
      case Ready ready -> ready.step();
      case Sent sent -> sent.step();
      case Asking asking -> asking.step();
      case Undoing undoing -> undoing.step();
      case Held held -> stepOf(held.before());
      case Done _, Undone _ -> null;
    };
  }
}
