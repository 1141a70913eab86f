package dev.tuntas.engine;

import dev.tuntas.saga.SagaDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One step of a saga as people look at it.
///
/// @param attempts how often it was called, questions included
/// @param finishedAt when it was done, failed for good, skipped or undone
/// @param nextAttemptAt when it is called, asked about or undone next
public record StepView(
    String name,
    State state,
    int attempts,
    String key,
    @Nullable Instant firstSentAt,
    @Nullable Instant finishedAt,
    @Nullable Instant nextAttemptAt,
    @Nullable String lastError) {

  public enum State {
    WAITING,
    SENT,
    DONE,
    FAILED,
    UNCLEAR,
    UNDONE,
    SKIPPED
  }

  /// The steps of a saga, read from where it stands and from its history.
  public static List<StepView> of(
      SagaDefinition<?> definition, SagaView saga, List<HistoryLine> history) {
    var lines = history.stream().map(StepPast.Line::of).toList();
    var steps = new ArrayList<StepView>();
    for (int i = 0; i < definition.steps().size(); i++) {
      var step = definition.steps().get(i);
      var past = StepPast.of(step.name(), lines);
      steps.add(view(definition, saga, i, past));
    }
    return steps;
  }

  private static StepView view(
      SagaDefinition<?> definition, SagaView saga, int index, StepPast past) {
    var step = definition.steps().get(index);
    var state = state(definition, saga, index, past);
    boolean over =
        switch (state) {
          case DONE, FAILED, UNDONE, SKIPPED -> true;
          case WAITING, SENT, UNCLEAR -> false;
        };
    return new StepView(
        step.name(),
        state,
        past.attempts(),
        step.keyFor(saga.id()),
        past.firstSentAt(),
        over ? past.lastAt() : null,
        nextAt(saga.progress(), step.name()),
        past.lastError());
  }

  private static State state(
      SagaDefinition<?> definition, SagaView saga, int index, StepPast past) {
    var name = definition.steps().get(index).name();
    if (saga.trail().kept().skipped().contains(name) || past.isSkipped()) return State.SKIPPED;
    return switch (whereItStands(saga.progress())) {
      case Progress.Done _ -> State.DONE;
      case Progress.Undone _ -> past.atTheEnd();
      case Progress.Undoing undoing -> {
        boolean later = index > definition.indexOf(undoing.step());
        yield later ? past.atTheEnd() : past.isDone() ? State.DONE : State.UNCLEAR;
      }
      case Progress.Ready ready -> forward(definition.indexOf(ready.step()), index, State.WAITING);
      case Progress.Sent sent -> forward(definition.indexOf(sent.step()), index, State.SENT);
      case Progress.Asking asking ->
          forward(definition.indexOf(asking.step()), index, State.UNCLEAR);
      case Progress.Held held -> throw new IllegalStateException(held.toString());
    };
  }

  private static State forward(int current, int index, State here) {
    if (index == current) return here;
    return index < current ? State.DONE : State.WAITING;
  }

  private static Progress whereItStands(Progress progress) {
    return progress instanceof Progress.Held held ? whereItStands(held.before()) : progress;
  }

  private static @Nullable Instant nextAt(Progress progress, String step) {
    return switch (progress) {
      case Progress.Ready ready when ready.step().equals(step) -> ready.at();
      case Progress.Asking asking when asking.step().equals(step) -> asking.askAt();
      case Progress.Undoing undoing when undoing.step().equals(step) -> undoing.at();
      case Progress.Ready _,
          Progress.Asking _,
          Progress.Undoing _,
          Progress.Sent _,
          Progress.Held _,
          Progress.Done _,
          Progress.Undone _ ->
          null;
    };
  }
}
