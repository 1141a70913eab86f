package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.Decider;
import dev.tuntas.engine.Decision;
import dev.tuntas.engine.Event;
import dev.tuntas.engine.Event.Abandoned;
import dev.tuntas.engine.Event.Due;
import dev.tuntas.engine.Event.Reported;
import dev.tuntas.engine.Event.Ruled;
import dev.tuntas.engine.Event.Told;
import dev.tuntas.engine.Next;
import dev.tuntas.engine.Next.Direction;
import dev.tuntas.engine.Next.Make;
import dev.tuntas.engine.Next.Queue;
import dev.tuntas.engine.Progress;
import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.Progress.Ready;
import dev.tuntas.engine.Progress.Sent;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Ruling;
import dev.tuntas.engine.State;
import dev.tuntas.engine.Trail;
import dev.tuntas.engine.Transition;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Failure.Absent;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Failed;
import dev.tuntas.saga.Outcome.Unclear;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Step;
import dev.tuntas.testkit.checkout.Purchase;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Engines that decide wrongly, each in one way that a tired programmer might find right.
enum WrongDecision implements Bugs, Decider {
  NEW_KEY_PER_ATTEMPT {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      var decision = right.next(saga, id, state, event, now);
      if (!(decision.next() instanceof Make(var direction, var call, var queue))
          || call.attempt() == 1) {
        return decision;
      }
      var key = call.key() + "-" + call.attempt();
      var other = new Call(call.sagaId(), call.step(), key, call.attempt(), call.timeout());
      return with(decision, decision.state(), new Make(direction, other, queue));
    }
  },

  A_TIMEOUT_IS_A_FAILURE {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      boolean timeout =
          event instanceof Reported<D>(Unclear<D>(_, var doubt), _)
              && doubt == Outcome.Doubt.NO_ANSWER
              && state.progress() instanceof Sent;
      return right.next(saga, id, state, timeout ? failed("TIMEOUT") : event, now);
    }
  },

  A_CRASH_IN_MID_CALL_IS_A_SUCCESS {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      boolean crash = event instanceof Abandoned && state.progress() instanceof Sent;
      return right.next(saga, id, state, crash ? succeeded(state) : event, now);
    }
  },

  A_CRASH_IN_MID_CALL_IS_A_FAILURE {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      boolean crash = event instanceof Abandoned && state.progress() instanceof Sent;
      return right.next(saga, id, state, crash ? failed("CRASHED") : event, now);
    }
  },

  TAKE_OVER_SENDS_BLINDLY_AGAIN {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      if (event instanceof Abandoned && state.progress() instanceof Sent sent) {
        var ready = new Ready(sent.step(), sent.attempt() + 1, now);
        return right.next(saga, id, with(state, ready), new Due<>(), now);
      }
      return right.next(saga, id, state, event, now);
    }
  },

  CANCEL_FORGETS_THE_CALL_UNDER_WAY {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      if (isCancel(event) && state.progress() instanceof Sent sent) {
        var ready = new Ready(sent.step(), sent.attempt(), now);
        return right.next(saga, id, with(state, ready), event, now);
      }
      return right.next(saga, id, state, event, now);
    }
  },

  CANCEL_IS_LOST_WHILE_A_CALL_IS_UNDER_WAY {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      var decision = right.next(saga, id, state, event, now);
      if (!isCancel(event) || !(state.progress() instanceof Sent)) return decision;
      return with(decision, with(decision.state(), state.trail()), decision.next());
    }
  },

  THE_DEADLINE_FORGETS_THE_STEP_IN_DOUBT {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      return right.next(saga, id, expired(saga, state, now, false), event, now);
    }
  },

  A_PIVOT_IN_DOUBT_IS_UNDONE {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      return right.next(saga, id, expired(saga, state, now, true), event, now);
    }
  },

  THE_STEP_IN_DOUBT_IS_NOT_UNDONE {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      var decision = right.next(saga, id, state, event, now);
      if (state.progress() instanceof Asking asking
          && decision.state().progress() instanceof Undoing undoing
          && undoing.step().equals(asking.step())) {
        var skipped = right.next(saga, id, decision.state(), succeeded(state), now);
        return new Decision<>(
            skipped.state(),
            skipped.next(),
            decision.notices(),
            Stream.concat(decision.history().stream(), skipped.history().stream()).toList(),
            decision.verdict());
      }
      return decision;
    }
  },

  NOT_FOUND_IS_BELIEVED_AT_ONCE {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      boolean absent = event instanceof Reported<D>(Failed<D>(Absent _), _);
      return right.next(saga, id, absent ? quiet(state, now) : state, event, now);
    }
  },

  THE_UNDO_DOES_NOT_WAIT_FOR_THE_CALL {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      return right.next(saga, id, quiet(state, now), event, now);
    }
  },

  THE_HORIZON_STARTS_AGAIN_WITH_EVERY_ATTEMPT {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      var old = state.trail();
      var trail = new Trail(now, now, old.cancel(), old.turned(), old.marks(), old.kept());
      return right.next(saga, id, with(state, trail), event, now);
    }
  },

  AN_UNDO_SPENDS_NO_ATTEMPT {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      var decision = right.next(saga, id, state, event, now);
      if (!(decision.state().progress() instanceof Undoing(var step, _, var at, var late))) {
        return decision;
      }
      return with(
          decision, with(decision.state(), new Undoing(step, 1, at, late)), decision.next());
    }
  },

  STEPS_ARE_UNDONE_IN_THE_ORDER_THEY_WERE_DONE {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      var decision = right.next(saga, id, mirrored(saga, state), event, now);
      var wrong = mirrored(saga, decision.state());
      if (!(decision.next() instanceof Make(var direction, var call, var queue))
          || direction != Direction.UNDO) {
        return with(decision, wrong, decision.next());
      }
      var step = mirror(saga, call.step());
      var key = saga.steps().get(saga.indexOf(step)).undoKeyFor(id);
      var other = new Call(id, step, key, call.attempt(), call.timeout());
      return with(decision, wrong, new Make(direction, other, queue));
    }

    private <D> State<D> mirrored(SagaDefinition<D> saga, State<D> state) {
      if (!(state.progress() instanceof Undoing(var step, int attempt, var at, var late))) {
        return state;
      }
      return with(state, new Undoing(mirror(saga, step), attempt, at, late));
    }

    private String mirror(SagaDefinition<?> saga, String step) {
      var undoable = saga.steps().stream().filter(s -> s.undo() != null).map(Step::name).toList();
      return undoable.get(undoable.size() - 1 - undoable.indexOf(step));
    }
  },

  THE_PRICE_IS_READ_AGAIN {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      var data = new Purchase(0, 0, 0, "").getClass().cast(state.data());
      var dearer =
          new Purchase(data.number(), data.minorUnits() + 1, data.quantity(), data.receipt());
      var changed = new State<>(state.progress(), state.trail(), saga.dataType().cast(dearer));
      return right.next(saga, id, changed, event, now);
    }
  },

  AN_OPTIONAL_FAILURE_FAILS_THE_SAGA {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      if (event instanceof Reported<D>(Failed<D> _, _)
          && state.progress() instanceof Sent sent
          && saga.steps().get(saga.indexOf(sent.step())).isOptional()) {
        var first = saga.steps().stream().filter(s -> s.undo() != null).findFirst().orElseThrow();
        var undoing = with(state, new Undoing(first.name(), 1, now, null));
        var decision = right.next(saga, id, undoing, new Due<>(), now);
        return new Decision<>(decision.state(), decision.next(), List.of(), decision.history(), "");
      }
      return right.next(saga, id, state, event, now);
    }
  },

  A_LANE_IS_FORGOTTEN {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      return anywhere(right.next(saga, id, state, event, now));
    }

    @Override
    public <D> Decision<D> start(SagaDefinition<D> saga, String id, D data, Instant now) {
      return anywhere(right.start(saga, id, data, now));
    }

    private <D> Decision<D> anywhere(Decision<D> decision) {
      if (!(decision.next() instanceof Make(var direction, var call, var queue))) return decision;
      var none = new Queue("", queue.rank(), queue.end());
      return with(decision, decision.state(), new Make(direction, call, none));
    }
  },

  AN_EARLY_SIGNAL_IS_FORGOTTEN {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      var decision = right.next(saga, id, state, event, now);
      if (!(event instanceof Told) || !decision.verdict().equals("kept")) return decision;
      return with(decision, with(decision.state(), state.trail()), decision.next());
    }
  },

  A_LATE_SIGNAL_MOVES_THE_SAGA_BACK {
    @Override
    public <D> Decision<D> next(
        SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now) {
      if (event instanceof Told<D>(var signal)
          && saga.indexOfSignal(signal.name()) >= 0
          && state.progress() instanceof Progress.Undone) {
        int index = saga.indexOfSignal(signal.name());
        var asking = new Asking(saga.steps().get(index).name(), 1, 0, null, now);
        return right.next(saga, id, with(state, asking), event, now);
      }
      return right.next(saga, id, state, event, now);
    }
  };

  final Transition right = new Transition();

  @Override
  public Decider decider() {
    return this;
  }

  @Override
  public <D> Decision<D> start(SagaDefinition<D> saga, String id, D data, Instant now) {
    return right.start(saga, id, data, now);
  }

  static <D> State<D> with(State<D> state, Progress progress) {
    return new State<>(progress, state.trail(), state.data());
  }

  static <D> State<D> with(State<D> state, Trail trail) {
    return new State<>(state.progress(), trail, state.data());
  }

  static <D> Decision<D> with(Decision<D> decision, State<D> state, Next next) {
    return new Decision<>(state, next, decision.notices(), decision.history(), decision.verdict());
  }

  static <D> Event<D> failed(String code) {
    return new Reported<>(Outcome.declined(code, "planted"));
  }

  static <D> Event<D> succeeded(State<D> state) {
    return new Reported<>(Outcome.done(state.data()));
  }

  static boolean isCancel(Event<?> event) {
    return event instanceof Ruled<?>(var ruling, _) && ruling.kind() == Ruling.Kind.CANCEL;
  }

  /// As if no call could be under way.
  static <D> State<D> quiet(State<D> state, Instant now) {
    if (!(state.progress() instanceof Asking(var step, int n, int asks, var askAt, _))) {
      return state;
    }
    return with(state, new Asking(step, n, asks, askAt, now));
  }

  /// As if a step in doubt had never been sent, once it should be undone.
  static <D> State<D> expired(SagaDefinition<D> saga, State<D> state, Instant now, boolean pivot) {
    if (!(state.progress() instanceof Asking asking)) return state;
    var step = saga.steps().get(saga.indexOf(asking.step()));
    var deadline = saga.deadline();
    var trail = state.trail();
    boolean late = deadline != null && !now.isBefore(trail.acceptedAt().plus(deadline));
    if (step.isPivot() != pivot || !(late || trail.cancel() != null)) return state;
    var marks = new Trail.Marks(true, null, null, false);
    var cancel = trail.cancel() == null ? new Failure.Expired("LATE", "planted") : trail.cancel();
    var other =
        new Trail(
            trail.acceptedAt(), trail.stepSince(), cancel, trail.turned(), marks, trail.kept());
    return new State<>(new Ready(asking.step(), asking.attempt(), now), other, state.data());
  }
}
