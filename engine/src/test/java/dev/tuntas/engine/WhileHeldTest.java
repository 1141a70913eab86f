package dev.tuntas.engine;

import static dev.tuntas.engine.Steps.DAY;
import static dev.tuntas.engine.Steps.TIMEOUT;
import static dev.tuntas.engine.Steps.answered;
import static dev.tuntas.engine.Steps.call;
import static dev.tuntas.engine.Steps.safe;
import static dev.tuntas.engine.Steps.undoable;
import static dev.tuntas.engine.Steps.waiting;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Next.Direction;
import dev.tuntas.engine.Progress.Done;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Ready;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Progress.Undone;
import dev.tuntas.engine.Ruling.Kind;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Step;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// `Held`: a person decides.
class WhileHeldTest {

  private static void isUntouched(Story story, Progress before) {
    assertThat(story.progress()).isEqualTo(before);
    assertThat(story.rests(Status.HELD)).isTrue();
  }

  @Test
  void time_a_take_over_an_answer_or_trouble_change_nothing() {
    var story = InDoubt.held();
    var before = story.progress();
    isUntouched(story.pass(DAY.multipliedBy(9)).due(), before);
    isUntouched(story.abandoned(), before);
    isUntouched(story.reports(Outcome.done("other")), before);
    isUntouched(story.seized(), before);
    assertThat(story.what()).isEqualTo("could not be handled: BUG");
  }

  @Test
  void a_ruling_stands_in_the_history_with_who_why_and_on_what_evidence() {
    assertThat(InDoubt.held().ruled(Kind.HAPPENED).what())
        .startsWith("ana ruled 'happened': she knows [mail 7]");
  }

  /// Nobody knows whether the guest was charged.
  @Nested
  class InDoubt {

    private static Story held(Step<String> pay) {
      return Story.of(undoable("hold"), pay, waiting("job"))
          .succeeds()
          .unclear()
          .pass(DAY)
          .seized();
    }

    private static Story held() {
      return held(answered(undoable("pay")));
    }

    @Test
    void charged_means_that_it_goes_on() {
      assertThat(held().ruled(Kind.HAPPENED).progress(Progress.Asking.class).step())
          .isEqualTo("job");
    }

    @Test
    void not_charged_means_release() {
      var story = held().ruled(Kind.DID_NOT_HAPPEN).succeeds();
      assertThat(story.progress()).isEqualTo(new Undone());
      assertThat(story.calls()).endsWith("undo hold").doesNotContain("undo pay");
    }

    @Test
    void retry_asks_again_and_gives_the_doubt_its_full_time_again() {
      var story = held().ruled(Kind.RETRY);
      assertThat(story.make().direction()).isEqualTo(Direction.ASK);
      assertThat(story.unclear().pass(DAY.minus(ofSeconds(1))).due().make().direction())
          .isEqualTo(Direction.ASK);
    }

    @Test
    void give_up_is_refused_for_what_may_have_taken_money() {
      var story = held();
      var before = story.progress();
      isUntouched(story.ruled(Kind.GIVE_UP), before);
      assertThat(story.verdict()).isEqualTo("refused: first say whether pay happened");
    }

    @Test
    void give_up_undoes_a_safe_step() {
      assertThat(held(safe("pay")).ruled(Kind.GIVE_UP).progress(Undoing.class).step())
          .isEqualTo("pay");
    }

    @Test
    void cancel_is_noted_for_what_may_have_taken_money() {
      var story = held().ruled(Kind.CANCEL);
      assertThat(story.verdict()).isEqualTo("noted: step pay must be known first");
      assertThat(story.rests(Status.HELD)).isTrue();
      assertThat(story.ruled(Kind.HAPPENED).progress(Undoing.class).step()).isEqualTo("pay");
    }

    @Test
    void cancel_undoes_a_safe_step() {
      assertThat(held(safe("pay")).ruled(Kind.CANCEL).progress(Undoing.class).step())
          .isEqualTo("pay");
    }

    @Test
    void skip_is_for_optional_steps() {
      assertThat(held().ruled(Kind.SKIP).verdict())
          .isEqualTo("refused: only an optional step can be skipped");
      assertThat(held(undoable("pay").optional()).ruled(Kind.SKIP).verdict()).isEqualTo("applied");
    }

    @Test
    void a_signal_that_it_happened_frees_it() {
      var story = held().told("pay", "yes");
      assertThat(story.verdict()).isEqualTo("applied");
      assertThat(story.progress(Progress.Asking.class).step()).isEqualTo("job");
    }

    @Test
    void a_signal_that_says_nothing_new_leaves_it_held() {
      var story = held();
      var before = story.progress();
      isUntouched(story.told("pay", "wait"), before);
    }

    @Test
    void a_signal_for_a_later_step_is_kept() {
      var story = held().told("job", "yes");
      assertThat(story.verdict()).isEqualTo("kept");
      assertThat(story.ruled(Kind.HAPPENED).progress()).isEqualTo(new Done());
    }

    @Test
    void a_signal_that_came_during_the_call_is_heard_on_retry() {
      var story = Story.of(undoable("hold"), answered(undoable("pay"))).succeeds().sent();
      story.told("pay", "yes").seized();
      assertThat(story.progress()).isInstanceOf(Held.class);
      assertThat(story.ruled(Kind.RETRY).progress()).isEqualTo(new Done());
    }

    @Test
    void not_charged_is_not_believed_while_the_call_may_be_under_way() {
      var story = Story.of(undoable("hold"), undoable("pay")).succeeds().sent().seized();
      var quietAt = Story.START.plus(TIMEOUT);
      assertThat(story.ruled(Kind.DID_NOT_HAPPEN).verdict())
          .isEqualTo("refused: a call may still be under way until " + quietAt);
      assertThat(story.rests(Status.HELD)).isTrue();
    }
  }

  @Nested
  class APivotInDoubt {

    private static Story held() {
      var story =
          Story.of(undoable("hold"), call("pay").pivot(), call("ship")).succeeds().unclear();
      return story.pass(DAY).seized();
    }

    @Test
    void is_never_undone_before_it_is_known() {
      assertThat(held().ruled(Kind.GIVE_UP).verdict())
          .isEqualTo("refused: first say whether pay happened");
      assertThat(held().ruled(Kind.CANCEL).verdict())
          .isEqualTo("noted: step pay must be known first");
    }

    @Test
    void that_happened_only_goes_forward() {
      var story = held().ruled(Kind.CANCEL).ruled(Kind.HAPPENED);
      assertThat(story.progress(Ready.class).step()).isEqualTo("ship");
      assertThat(story.what()).contains("too late to cancel");
    }

    @Test
    void that_did_not_happen_is_turned_back() {
      assertThat(held().ruled(Kind.DID_NOT_HAPPEN).progress(Undoing.class).step())
          .isEqualTo("hold");
    }
  }

  /// A step after the pivot said no.
  @Nested
  class AfterThePivot {

    private static Story held() {
      return Story.of(call("pay").pivot(), call("ship")).succeeds().declined();
    }

    @Test
    void retry_calls_again_with_fresh_attempts() {
      var story = held().ruled(Kind.RETRY);
      assertThat(story.make().call().attempt()).isEqualTo(1);
      assertThat(story.succeeds().progress()).isEqualTo(new Done());
    }

    @Test
    void it_happened_by_hand_leads_on() {
      assertThat(held().ruled(Kind.HAPPENED).progress()).isEqualTo(new Done());
    }

    @Test
    void the_rest_is_refused() {
      assertThat(held().ruled(Kind.GIVE_UP).verdict())
          .isEqualTo("refused: the point of no return was passed; retry, or say that it happened");
      assertThat(held().ruled(Kind.CANCEL).verdict())
          .isEqualTo("refused: the point of no return was passed");
      assertThat(held().ruled(Kind.DID_NOT_HAPPEN).verdict())
          .isEqualTo("refused: nothing is in doubt");
      assertThat(held().ruled(Kind.SKIP).verdict())
          .isEqualTo("refused: only an optional step can be skipped");
    }
  }

  /// Not sent, but something was wrong.
  @Nested
  class BeforeThePivot {

    private static Story held() {
      return Story.of(undoable("hold"), answered(undoable("pay"))).succeeds().seized();
    }

    @Test
    void cancel_or_give_up_turn_back() {
      assertThat(held().ruled(Kind.CANCEL).progress(Undoing.class).step()).isEqualTo("hold");
      assertThat(held().ruled(Kind.GIVE_UP).progress(Undoing.class).step()).isEqualTo("hold");
    }

    @Test
    void retry_calls() {
      assertThat(held().ruled(Kind.RETRY).calls()).endsWith("do pay");
    }

    @Test
    void a_signal_decides_the_step() {
      assertThat(held().told("pay", "yes").progress()).isEqualTo(new Done());
      assertThat(held().told("pay", "no").progress(Undoing.class).step()).isEqualTo("hold");
    }
  }

  /// A dead letter: an undo that did not succeed.
  @Nested
  class AnUndo {

    private static Story held() {
      return Story.of(undoable("hold"), undoable("pay"), undoable("ship"))
          .succeeds()
          .succeeds()
          .declined()
          .declined();
    }

    @ParameterizedTest
    @EnumSource(names = {"RETRY", "DID_NOT_HAPPEN"})
    void is_replayed_under_its_key_with_fresh_attempts(Kind kind) {
      var call = held().ruled(kind).make().call();
      assertThat(call.key()).isEqualTo("o-1/pay/undo");
      assertThat(call.attempt()).isEqualTo(1);
    }

    @Test
    void that_a_person_did_leads_to_the_next() {
      assertThat(held().ruled(Kind.HAPPENED).progress(Undoing.class).step()).isEqualTo("hold");
    }

    @Test
    void that_is_discarded_leads_to_the_next_and_the_history_says_so() {
      var story = held().ruled(Kind.GIVE_UP);
      assertThat(story.progress(Undoing.class).step()).isEqualTo("hold");
      assertThat(story.what()).contains("the undo of pay is left undone");
    }

    @Test
    void is_not_cancelled_or_skipped() {
      assertThat(held().ruled(Kind.CANCEL).verdict())
          .isEqualTo("applied: it is undone or being undone");
      assertThat(held().ruled(Kind.CANCEL).rests(Status.HELD)).isTrue();
      assertThat(held().ruled(Kind.SKIP).verdict())
          .isEqualTo("refused: only an optional step can be skipped");
    }

    @Test
    void hears_signals_as_late() {
      assertThat(held().told("pay", "yes").verdict()).isEqualTo("late");
    }
  }
}
