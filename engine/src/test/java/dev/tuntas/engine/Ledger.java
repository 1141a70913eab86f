package dev.tuntas.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Event.Reported;
import dev.tuntas.engine.Event.Ruled;
import dev.tuntas.engine.Event.Told;
import dev.tuntas.engine.Next.Direction;
import dev.tuntas.engine.Next.Make;
import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Sent;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Progress.Undone;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import dev.tuntas.saga.Step;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// What an outsider who saw every call and every answer knows of each step; it finds an undo that
/// should not be, comes too early, or is missing.
final class Ledger {

  private enum Known {
    NEVER_SENT,
    MAYBE,
    HAPPENED,
    /// Refused by the other side, by a signal or by a person.
    DENIED
  }

  private final SagaDefinition<String> saga;
  private final Map<String, Known> known = new HashMap<>();
  private final Map<String, Instant> underWayUntil = new HashMap<>();
  private final Set<String> everInDoubt = new HashSet<>();
  private final Set<String> undone = new HashSet<>();
  private int lastUndo = Integer.MAX_VALUE;

  Ledger(SagaDefinition<String> saga) {
    this.saga = saga;
  }

  private Step<String> step(String name) {
    return saga.steps().get(saga.indexOf(name));
  }

  private Known of(String step) {
    return known.getOrDefault(step, Known.NEVER_SENT);
  }

  // Calls go out

  void sent(Make make, Progress progress, Instant now) {
    var name = make.call().step();
    boolean acts =
        make.direction() == Direction.DO
            || (make.direction() == Direction.ASK && step(name).asksByRepeating());
    if (make.direction() == Direction.DO) assertThat(progress).isInstanceOf(Sent.class);
    if (acts) {
      var earlier = underWayUntil.getOrDefault(name, Instant.MIN);
      if (make.direction() == Direction.DO && of(name) == Known.MAYBE) {
        assertThat(now).as("%s is sent again only when quiet", name).isAfterOrEqualTo(earlier);
      }
      assertThat(of(name))
          .as("%s is not sent again once it happened", name)
          .isNotEqualTo(Known.HAPPENED);
      known.put(name, Known.MAYBE);
      underWayUntil.merge(name, now.plus(make.call().timeout()), Turn::later);
    }
    if (make.direction() == Direction.UNDO) undoIsRight(make, (Undoing) progress, now);
  }

  private void undoIsRight(Make make, Undoing undoing, Instant now) {
    var name = make.call().step();
    if (undoing.late() != null) {
      assertThat(make.call().key()).endsWith("/" + undoing.late());
      return;
    }
    assertThat(of(name)).as("%s may have happened", name).isIn(Known.MAYBE, Known.HAPPENED);
    if (of(name) == Known.MAYBE && underWayUntil.containsKey(name)) {
      assertThat(now).as("%s is quiet", name).isAfterOrEqualTo(underWayUntil.get(name));
    }
    int index = saga.indexOf(name);
    assertThat(index).as("undos go strictly backward").isLessThanOrEqualTo(lastUndo);
    assertThat(saga.isPastPivot(index)).isFalse();
    lastUndo = index;
    undone.add(name);
  }

  // Answers and decisions

  void decided(Decision<String> before, Event<String> event, Decision<String> after, Instant now) {
    var was = before.state().progress();
    switch (event) {
      case Reported<String>(var outcome, _) -> answered(was, outcome);
      case Told<String>(var signal) -> told(was, signal, after.verdict());
      case Ruled<String>(var ruling, _) -> ruled(was, ruling, after.verdict(), now);
      case Event.Due<String> _, Event.Abandoned<String> _, Event.Seized<String> _ -> {}
    }
    entered(after);
    heardMail(before, after);
    if (after.state().progress() instanceof Undone) nothingIsLeft();
  }

  void entered(Decision<String> now) {
    for (var step : saga.steps()) {
      boolean entered = step.waitsOnly() && now.what().contains("waiting for " + step.name());
      if (entered) known.putIfAbsent(step.name(), Known.MAYBE); // it may come true at any time
    }
  }

  private void answered(Progress was, Outcome<String> outcome) {
    switch (was) {
      case Sent sent when outcome instanceof Outcome.Failed<String> failed ->
          failed(sent.step(), failed.failure());
      case Sent sent when outcome instanceof Outcome.Succeeded ->
          known.put(sent.step(), Known.HAPPENED);
      case Asking asking when outcome instanceof Outcome.Succeeded ->
          known.put(asking.step(), Known.HAPPENED);
      case Asking asking when outcome instanceof Outcome.Failed<String>(Failure.Declined _) ->
          known.put(asking.step(), Known.DENIED);
      case Undoing undoing when outcome instanceof Outcome.Succeeded -> undone.add(undoing.step());
      case Progress _ -> {}
    }
  }

  /// A call that failed did nothing; an earlier one in doubt may still.
  private void failed(String step, Failure failure) {
    underWayUntil.remove(step); // the next attempt began only when all before were quiet
    boolean first = !everInDoubt.contains(step);
    if (failure instanceof Failure.Declined || first) known.put(step, Known.DENIED);
  }

  private void told(Progress was, Signal signal, String verdict) {
    if (!verdict.equals("applied") || !signal.name().equals(Transition.stepOf(was))) return;
    if (was instanceof Undoing || (was instanceof Held held && held.before() instanceof Undoing))
      return;
    said(signal);
  }

  private void said(Signal signal) {
    if (signal.body().equals("yes")) known.put(signal.name(), Known.HAPPENED);
    if (signal.body().equals("no")) known.put(signal.name(), Known.DENIED);
  }

  private void ruled(Progress was, Ruling ruling, String verdict, Instant now) {
    var progress = was instanceof Held(var held, _) ? held : was;
    var step = Transition.stepOf(progress);
    if (!verdict.equals("applied") || step == null) return;
    boolean undoing = progress instanceof Undoing;
    switch (ruling.kind()) {
      case HAPPENED -> {
        if (undoing) undone.add(step);
        else known.put(step, Known.HAPPENED);
      }
      case DID_NOT_HAPPEN -> {
        if (undoing) return;
        var until = underWayUntil.getOrDefault(step, Instant.MIN);
        assertThat(now).as("believed only when %s is quiet", step).isAfterOrEqualTo(until);
        known.put(step, Known.DENIED);
      }
      case GIVE_UP -> {
        if (undoing) undone.add(step);
      }
      case CANCEL, RETRY, SKIP -> {}
    }
  }

  /// Signals that had come before are heard in their order until one decides their step.
  private void heardMail(Decision<String> before, Decision<String> after) {
    var what = after.what();
    var settled = new HashSet<String>();
    for (var signal : before.state().trail().mail()) {
      var name = signal.name();
      if (after.state().trail().mail().contains(signal) || settled.contains(name)) continue;
      boolean heard = what.contains("signal " + name + " had come before");
      boolean believed = what.contains("but signal " + name + " says that it happened");
      boolean decides = signal.body().equals("yes") || (heard && signal.body().equals("no"));
      if (!decides || !(heard || believed)) continue;
      said(signal);
      settled.add(name);
    }
    if (after.state().progress() instanceof Asking asking) everInDoubt.add(asking.step());
  }

  private void nothingIsLeft() {
    for (var step : saga.steps()) {
      if (step.undo() == null || of(step.name()) == Known.NEVER_SENT) continue;
      if (of(step.name()) == Known.DENIED) continue;
      assertThat(undone).as("what may have happened is undone").contains(step.name());
    }
  }
}
