package dev.tuntas.engine;

import static dev.tuntas.engine.Steps.answered;
import static dev.tuntas.engine.Steps.call;
import static dev.tuntas.engine.Steps.safe;
import static dev.tuntas.engine.Steps.signal;
import static dev.tuntas.engine.Steps.undoable;
import static dev.tuntas.engine.Steps.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Progress.Undone;
import dev.tuntas.engine.Ruling.Kind;
import dev.tuntas.saga.Late;
import dev.tuntas.saga.Notice;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// Signals that their step no longer waits for: never lost, and the definition may compensate.
class LateSignalTest {

  private static final SagaDefinition<String> SAGA =
      Story.saga(
          undoable("hold"),
          waiting("job").undo((data, call) -> Outcome.done(data)),
          undoable("ship"));

  /// A job that comes after all is cancelled at the partner.
  private static Story undoingJobs() {
    return Story.of(
        SAGA.onLateSignal((signal, context) -> new Late.Undo<>("job", context.data() + "+late")));
  }

  /// The wait was cancelled, everything is undone.
  private static Story undone(Story story) {
    return story.succeeds().ruled(Kind.CANCEL).succeeds().succeeds();
  }

  @Nested
  class AfterItWasUndone {

    @Test
    void its_effect_is_undone_under_a_key_of_its_own() {
      var story = undone(undoingJobs()).told(signal("job", "cb-9", "yes"));
      assertThat(story.verdict()).isEqualTo("applied");
      assertThat(story.make().call().key()).isEqualTo("o-1/job/undo/cb-9");
      assertThat(story.what()).contains("its effect will be undone", "key o-1/job/undo/cb-9");
      assertThat(story.data()).isEqualTo("data+late");
    }

    @Test
    void the_end_is_announced_once() {
      var story = undone(undoingJobs()).told(signal("job", "cb-9", "yes")).succeeds();
      assertThat(story.progress()).isEqualTo(new Undone());
      assertThat(story.notices()).containsOnlyOnce("undone CANCELLED");
      assertThat(story.calls()).endsWith("undo job", "undo hold", "undo job");
    }

    @Test
    void a_late_undo_that_fails_is_a_dead_letter_and_can_be_replayed() {
      var story = undone(undoingJobs()).told(signal("job", "cb-9", "yes")).declined();
      assertThat(story.progress()).isInstanceOf(Held.class);
      assertThat(story.ruled(Kind.RETRY).make().call().key()).isEqualTo("o-1/job/undo/cb-9");
      assertThat(story.succeeds().progress()).isEqualTo(new Undone());
    }

    @Test
    void a_second_one_waits_for_the_first() {
      var story = undone(undoingJobs()).told(signal("job", "cb-1", "yes"));
      story.told(signal("job", "cb-2", "yes"));
      assertThat(story.make().call().key()).isEqualTo("o-1/job/undo/cb-1");
      assertThat(story.succeeds().make().call().key()).isEqualTo("o-1/job/undo/cb-2");
      assertThat(story.succeeds().progress()).isEqualTo(new Undone());
    }
  }

  @Test
  void while_it_is_undone_the_late_effect_comes_last() {
    var story = undoingJobs().succeeds().ruled(Kind.CANCEL).told(signal("job", "cb-9", "yes"));
    assertThat(story.verdict()).isEqualTo("applied");
    assertThat(story.progress(Undoing.class).late()).isNull();
    story.succeeds().succeeds();
    assertThat(story.progress(Undoing.class).late()).isEqualTo("cb-9");
    assertThat(story.succeeds().progress()).isEqualTo(new Undone());
    assertThat(story.calls()).endsWith("undo job", "undo hold", "undo job");
  }

  @Test
  void mail_that_was_kept_for_a_later_step_is_late_when_it_turns_back() {
    var story = undoingJobs().sent().told(signal("job", "cb-9", "yes"));
    story.reports(Outcome.declined("NO", "")); // hold was refused
    assertThat(story.trail().mail()).isEmpty();
    assertThat(story.make().call().key()).isEqualTo("o-1/job/undo/cb-9");
  }

  @Test
  void while_it_goes_forward_nothing_can_be_undone() {
    var story = undoingJobs().succeeds().told(signal("job", "cb-1", "yes"));
    assertThat(story.told(signal("job", "cb-2", "yes")).verdict())
        .isEqualTo("late: it cannot be undone, the saga is not turning back");
    assertThat(story.make().call().step()).isEqualTo("ship");
  }

  @Test
  void a_definition_may_announce_it() {
    var story =
        Story.of(
            SAGA.onLateSignal(
                (signal, context) ->
                    new Late.Announce<>(
                        new Notice("job.late", context.phase() + " " + signal.body()))));
    undone(story).told("job", "yes");
    assertThat(story.verdict()).isEqualTo("late: announced");
    assertThat(story.notices()).endsWith("late_signal", "UNDONE yes");
  }

  @Test
  void a_handler_that_throws_loses_nothing() {
    var story =
        Story.of(
            SAGA.onLateSignal(
                (signal, context) -> {
                  throw new IllegalStateException("oops");
                }));
    undone(story).told("job", "yes");
    assertThat(story.verdict()).isEqualTo("late: its handler failed");
    assertThat(story.what()).contains("the handler of late signals threw", "oops");
    assertThat(story.progress()).isEqualTo(new Undone());
  }

  @Test
  void a_handler_that_names_a_step_that_cannot_be_undone_is_told_so() {
    for (var name : new String[] {"pay", "gone"}) {
      var saga = Story.saga(undoable("hold"), call("pay").pivot());
      var story =
          Story.of(saga.onLateSignal((signal, context) -> new Late.Undo<>(name, context.data())));
      story.ruled(Kind.CANCEL).told("pay", "yes");
      assertThat(story.verdict()).startsWith("late: ").contains(name);
      assertThat(story.progress()).isEqualTo(new Undone());
    }
  }

  /// A signal that comes while the call is under way waits for the call's answer.
  @Nested
  class DuringTheCall {

    private static Story told(String body) {
      var story = Story.of(undoable("hold"), answered(safe("pay")), undoable("ship")).succeeds();
      story.sent().told(signal("pay", body));
      assertThat(story.verdict()).isEqualTo("kept");
      assertThat(story.next()).isEqualTo(new Next.Await());
      return story;
    }

    @Test
    void doubt_is_resolved_by_it() {
      var story = told("yes").reports(Outcome.unclear("reset"));
      assertThat(story.progress(Progress.Ready.class).step()).isEqualTo("ship");
      assertThat(story.data()).isEqualTo("data+pay");
      assertThat(told("no").reports(Outcome.unclear("reset")).progress(Undoing.class).step())
          .isEqualTo("hold");
    }

    @Test
    void a_take_over_hears_it() {
      assertThat(told("yes").abandoned().progress(Progress.Ready.class).step()).isEqualTo("ship");
    }

    @Test
    void evidence_beats_denial() {
      var story = told("yes").reports(Outcome.declined("NO", ""));
      assertThat(story.progress(Progress.Ready.class).step()).isEqualTo("ship");
      assertThat(story.what()).contains("but signal pay says that it happened");
    }

    @Test
    void success_makes_it_late_even_if_it_contradicts() {
      var story = told("no").reports(Outcome.done("data"));
      assertThat(story.progress(Progress.Ready.class).step()).isEqualTo("ship");
      assertThat(story.notices()).contains("late_signal pay");
      assertThat(story.trail().mail()).isEmpty();
    }

    @Test
    void two_denials_agree() {
      var story = told("no").reports(Outcome.declined("NO", ""));
      assertThat(story.progress(Undoing.class).step()).isEqualTo("hold");
      assertThat(story.trail().mail()).isEmpty();
    }
  }

  @Test
  void what_is_said_about_mail_is_not_said_about_the_ruling_that_led_to_it() {
    var story = undoingJobs().sent().told("job", "???").reports(Outcome.unclear("reset"));
    assertThat(story.ruled(Kind.HAPPENED).verdict()).isEqualTo("applied");
    assertThat(story.what()).contains("it could not be read");
  }

  @Test
  void too_many_early_signals_are_refused_and_not_lost_silently() {
    var story = undoingJobs().sent();
    for (int i = 0; i < 64; i++) {
      assertThat(story.told(signal("job", "cb-" + i, "yes")).verdict()).isEqualTo("kept");
    }
    assertThat(story.told(signal("job", "cb-64", "yes")).verdict())
        .isEqualTo("refused: too many signals wait for their step already");
    assertThat(story.what()).contains("cb-64");
  }

  /// What was learned beside the steps.
  @Nested
  class Facts {

    private final Story story =
        Story.of(
            SAGA.onLateSignal(
                (signal, context) ->
                    new Late.Note<>(
                        signal.name(),
                        signal.body(),
                        context.phase() == Late.Phase.UNDONE
                            ? List.of(new Notice("too.late", context.facts().toString()))
                            : List.of())));

    @Test
    void are_known_from_then_on_and_the_last_counts() {
      story.told("paid", "no").told(signal("paid", "cb-2", "yes"));
      assertThat(story.verdict()).isEqualTo("noted");
      assertThat(story.trail().facts()).containsExactly(entry("paid", "yes"));
      assertThat(story.make().call().step()).isEqualTo("hold");
    }

    @Test
    void are_not_lost_when_a_call_under_way_brings_back_what_it_knew() {
      story.sent().told("paid", "yes");
      story.reports(Outcome.done("other data"));
      assertThat(story.data()).isEqualTo("other data");
      assertThat(story.trail().facts()).containsEntry("paid", "yes");
    }

    @Test
    void are_learned_even_after_the_end_and_may_be_announced() {
      undone(story).told("paid", "yes");
      assertThat(story.progress()).isEqualTo(new Undone());
      assertThat(story.trail().facts()).containsEntry("paid", "yes");
      assertThat(story.notices()).endsWith("late_signal", "{}");
    }

    @Test
    void that_are_too_long_are_refused() {
      story.told("paid", "x".repeat(1_001));
      assertThat(story.verdict()).isEqualTo("late: its handler failed");
      assertThat(story.trail().facts()).isEmpty();
    }
  }
}
