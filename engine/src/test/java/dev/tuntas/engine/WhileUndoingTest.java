package dev.tuntas.engine;

import static dev.tuntas.engine.Steps.call;
import static dev.tuntas.engine.Steps.undoable;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Progress.Undone;
import dev.tuntas.engine.Ruling.Kind;
import dev.tuntas.saga.Failure.Barred;
import dev.tuntas.saga.Failure.Unavailable;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Failed;
import dev.tuntas.saga.RetryPolicy;
import dev.tuntas.saga.Step;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// `Undoing`: the steps are taken back, the last one first.
class WhileUndoingTest {

  private static Step<String> exact(String name) {
    return undoable(name).retryUndo(RetryPolicy.compensation().jitter(0));
  }

  /// Held and paid, then refused: pay is to be undone, then hold.
  private static Story undoing() {
    return Story.of(exact("hold"), exact("pay"), undoable("ship")).succeeds().succeeds().declined();
  }

  @Test
  void it_goes_strictly_backward() {
    var story = undoing().succeeds().succeeds();
    assertThat(story.progress()).isEqualTo(new Undone());
    assertThat(story.calls())
        .containsExactly("do hold", "do pay", "do ship", "undo pay", "undo hold");
    assertThat(story.notices()).endsWith("undoing ship NO", "undone NO");
  }

  @Test
  void an_undo_has_its_own_key_and_timeout_and_the_history_shows_the_key() {
    var story = undoing();
    assertThat(story.make().call().key()).isEqualTo("o-1/pay/undo");
    assertThat(story.make().call().timeout()).isEqualTo(ofSeconds(30));
    assertThat(story.what()).endsWith("turning back: NO; undoing pay, key o-1/pay/undo");
  }

  @Test
  void what_has_no_undo_is_passed_over() {
    var story = Story.of(exact("hold"), call("look").harmless(), undoable("pay"));
    story.succeeds().succeeds().declined();
    assertThat(story.progress(Undoing.class).step()).isEqualTo("hold");
  }

  @Test
  void a_step_that_was_skipped_is_passed_over() {
    var story = Story.of(exact("hold"), exact("look").optional(), undoable("pay"));
    story.succeeds().declined().declined();
    assertThat(story.calls()).endsWith("do look", "do pay", "undo hold");
  }

  @Test
  void an_optional_step_that_happened_is_undone() {
    var story = Story.of(exact("hold"), exact("look").optional(), undoable("pay"));
    story.succeeds().succeeds().declined().succeeds();
    assertThat(story.calls()).endsWith("undo look", "undo hold");
  }

  @Test
  void no_deadline_disturbs_it() {
    var saga = Story.saga(exact("hold").deadline(ofSeconds(1)), undoable("pay"));
    var story = Story.of(saga.deadline(ofSeconds(1))).succeeds().declined();
    assertThat(story.pass(ofMinutes(9)).due().calls()).endsWith("undo hold", "undo hold");
  }

  @Nested
  class ThatFails {

    @Test
    void is_tried_three_times_and_then_a_dead_letter() {
      var story = undoing().unavailable();
      assertThat(story.sleeps()).isEqualTo(ofSeconds(1));
      story.sleep().unclear();
      assertThat(story.sleeps()).isEqualTo(ofSeconds(2));
      story.sleep();
      assertThat(story.make().call().attempt()).isEqualTo(3);
      assertThat(story.make().call().key()).isEqualTo("o-1/pay/undo");
      story.unclear();
      assertThat(story.progress(Held.class).why().code()).isEqualTo("COMPENSATION_FAILED");
      assertThat(story.progress(Held.class).why().detail())
          .isEqualTo("pay: no success in 3 attempts");
      assertThat(story.notices()).endsWith("compensation_failed pay COMPENSATION_FAILED");
    }

    @Test
    void does_not_let_the_next_one_begin() {
      var story = undoing().unclear().sleep().unclear().sleep().unclear();
      assertThat(story.calls()).doesNotContain("undo hold");
      assertThat(story.rests(Status.HELD)).isTrue();
    }

    @Test
    void clearly_is_a_dead_letter_at_once() {
      assertThat(undoing().declined().progress(Held.class).why().detail())
          .isEqualTo("pay: said no");
    }

    @Test
    void because_nobody_is_let_in_is_tried_again() {
      assertThat(undoing().answer(Outcome.barred("WRONG_KEY", "")).sleeps())
          .isEqualTo(ofSeconds(1));
    }

    @Test
    void while_its_partner_fails_everybody_is_not_given_up() {
      var story = undoing();
      for (int i = 0; i < 50; i++) {
        story.reports(Outcome.unavailable("AWAY", ""), true).sleep();
        story.reports(Outcome.unclear("no answer"), true).sleep();
      }
      assertThat(story.make().call().attempt()).isEqualTo(101);
      assertThat(story.unclear().rests(Status.HELD)).as("it failed this one").isTrue();
    }

    @Test
    void because_of_our_own_side_is_no_attempt() {
      var story = undoing();
      for (int i = 0; i < 10; i++) {
        story.answer(Outcome.unavailableHere("AWAY", "our database")).sleep();
        story.answer(Outcome.unclearHere("our database")).sleep();
      }
      assertThat(story.make().call().attempt()).isEqualTo(1);
    }

    /// Waiting mends nothing here, and other undos wait behind it.
    @Test
    void because_the_partner_bars_us_is_given_up() {
      var barred = new Failed<String>(new Barred("KEY", "refused"));
      var story = undoing();
      story.reports(barred, true).sleep().reports(barred, true).sleep().reports(barred, true);
      assertThat(story.rests(Status.HELD)).isTrue();
    }

    @Test
    void waits_as_long_as_the_other_side_asks() {
      var story = undoing().answer(new Failed<>(new Unavailable("BUSY", "", ofMinutes(2))));
      assertThat(story.sleeps()).isEqualTo(ofMinutes(2));
    }
  }

  @Test
  void its_waits_grow_to_thirty_seconds_at_most() {
    var patient = undoable("hold").retryUndo(RetryPolicy.compensation().attempts(9).jitter(0));
    var story = Story.of(patient, undoable("pay")).succeeds().declined();
    for (long seconds : new long[] {1, 2, 4, 8, 16, 30, 30, 30}) {
      assertThat(story.unclear().sleeps()).isEqualTo(ofSeconds(seconds));
      story.sleep();
    }
  }

  @Test
  void a_take_over_undoes_again_under_the_same_key() {
    var story = undoing().abandoned();
    assertThat(story.make().call().key()).isEqualTo("o-1/pay/undo");
    assertThat(story.make().call().attempt()).isEqualTo(1);
  }

  @Test
  void what_must_not_be_puts_it_before_a_person() {
    var story = undoing();
    var before = story.progress();
    assertThat(story.seized().progress(Held.class).before()).isEqualTo(before);
  }

  @Nested
  class Ruled {

    @Test
    void cancel_is_what_it_does_already() {
      var story = undoing().ruled(Kind.CANCEL);
      assertThat(story.verdict()).isEqualTo("applied: it is undone or being undone");
      assertThat(story.make().call().step()).isEqualTo("pay");
    }

    @Test
    void retry_ends_the_wait() {
      var story = undoing().unclear().ruled(Kind.RETRY);
      assertThat(story.make().call().attempt()).isEqualTo(2);
    }

    @Test
    void it_happened_means_that_it_is_undone() {
      assertThat(undoing().unclear().ruled(Kind.HAPPENED).progress(Undoing.class).step())
          .isEqualTo("hold");
    }

    @Test
    void it_did_not_happen_is_no_answer() {
      assertThat(undoing().ruled(Kind.DID_NOT_HAPPEN).verdict())
          .isEqualTo("refused: nothing is in doubt");
    }

    @Test
    void give_up_is_refused_while_it_is_tried() {
      assertThat(undoing().ruled(Kind.GIVE_UP).verdict())
          .isEqualTo("refused: the undo is still being tried");
    }

    @Test
    void skip_is_refused() {
      assertThat(undoing().ruled(Kind.SKIP).verdict())
          .isEqualTo("refused: only an optional step can be skipped");
    }
  }
}
