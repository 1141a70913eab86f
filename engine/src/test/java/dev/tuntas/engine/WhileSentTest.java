package dev.tuntas.engine;

import static dev.tuntas.engine.Steps.DAY;
import static dev.tuntas.engine.Steps.TIMEOUT;
import static dev.tuntas.engine.Steps.call;
import static dev.tuntas.engine.Steps.probed;
import static dev.tuntas.engine.Steps.safe;
import static dev.tuntas.engine.Steps.undoable;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Next.Direction;
import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.Progress.Done;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Ready;
import dev.tuntas.engine.Progress.Sent;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Progress.Undone;
import dev.tuntas.engine.Ruling.Kind;
import dev.tuntas.saga.Failure.Unavailable;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Failed;
import dev.tuntas.saga.RetryPolicy;
import dev.tuntas.saga.Step;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// `Sent`: the call may have gone out.
class WhileSentTest {

  private static final RetryPolicy EXACT = RetryPolicy.patient().jitter(0);

  private static Story paying(Step<String> pay) {
    return Story.of(undoable("hold"), pay, undoable("ship")).succeeds().sent();
  }

  private static Story paying() {
    return paying(undoable("pay").retry(EXACT));
  }

  private static Outcome<String> away(Duration retryAfter) {
    return new Failed<>(new Unavailable("BUSY", "come again", retryAfter));
  }

  @Test
  void success_leads_to_the_next_step() {
    var story = paying().pass(ofSeconds(1)).reports(Outcome.done("paid"));
    assertThat(story.progress()).isEqualTo(new Ready("ship", 1, story.now()));
    assertThat(story.data()).isEqualTo("paid");
    assertThat(story.what()).isEqualTo("pay succeeded");
    assertThat(story.notices()).endsWith("step_done pay");
  }

  @Test
  void success_of_the_last_step_ends_it() {
    var story = paying().reports(Outcome.done("data")).succeeds();
    assertThat(story.progress()).isEqualTo(new Done());
    assertThat(story.notices()).endsWith("step_done ship", "done");
  }

  @Test
  void a_clear_failure_undoes_what_came_before_and_not_the_step_itself() {
    var story = paying().reports(Outcome.declined("NO_MONEY", "card empty"));
    assertThat(story.succeeds().progress()).isEqualTo(new Undone());
    assertThat(story.calls()).containsExactly("do hold", "do pay", "undo hold");
    assertThat(story.history()).contains("pay failed: NO_MONEY (card empty)");
  }

  @Test
  void a_clear_failure_of_the_first_step_ends_it_without_a_call() {
    var story = Story.of(undoable("hold")).declined();
    assertThat(story.progress()).isEqualTo(new Undone());
    assertThat(story.calls()).containsExactly("do hold");
  }

  @Test
  void a_clear_failure_of_the_pivot_undoes_what_came_before() {
    var story = Story.of(undoable("hold"), call("pay").pivot()).succeeds().declined();
    assertThat(story.progress(Undoing.class).step()).isEqualTo("hold");
  }

  @Test
  void a_clear_failure_after_the_pivot_is_for_a_person() {
    var story = Story.of(call("pay").pivot(), call("ship")).succeeds().declined();
    assertThat(story.progress(Held.class).before()).isInstanceOf(Ready.class);
    assertThat(story.notices()).endsWith("held ship NO");
  }

  @Test
  void a_failed_optional_step_does_not_fail_the_saga() {
    var story = Story.of(undoable("look").optional(), undoable("pay")).declined();
    assertThat(story.progress(Ready.class).step()).isEqualTo("pay");
    assertThat(story.what()).contains("going on without look");
    assertThat(story.notices()).endsWith("step_skipped look NO");
    assertThat(story.declined().calls()).containsExactly("do look", "do pay");
  }

  @Nested
  class WhenNothingTookEffect {

    @Test
    void it_tries_again_after_a_wait_that_doubles() {
      var story = paying().reports(Outcome.unavailable("AWAY", ""));
      for (long seconds : new long[] {2, 4, 8, 16, 32, 60, 60}) {
        assertThat(story.sleeps()).isEqualTo(ofSeconds(seconds));
        story.sleep().unavailable();
      }
      assertThat(story.progress(Ready.class).attempt()).isEqualTo(9);
      assertThat(story.trail().doubted()).isFalse();
    }

    @Test
    void the_last_attempt_is_a_clear_failure() {
      var pay = undoable("pay").retry(EXACT.attempts(2));
      var story = paying(pay).reports(Outcome.unavailable("AWAY", "")).sleep().unavailable();
      assertThat(story.progress(Undoing.class).step()).isEqualTo("hold");
      assertThat(story.trail().cause().code()).isEqualTo("AWAY");
    }

    @Test
    void what_our_own_side_could_not_do_was_no_attempt() {
      var pay = undoable("pay").retry(EXACT.attempts(1));
      var story = paying(pay).reports(Outcome.unavailableHere("NOT_SENT", ""));
      assertThat(story.progress(Ready.class).attempt()).isEqualTo(1);
      story.sleep().unavailable();
      assertThat(story.progress(Undoing.class).step()).isEqualTo("hold");
    }

    @Test
    void that_time_begins_with_its_first_failure() {
      var pay = undoable("pay").retry(EXACT.within(ofSeconds(5)));
      var story = Story.of(pay).pass(ofSeconds(40)).unavailable();
      assertThat(story.progress()).isInstanceOf(Ready.class);
      var failedAt = story.now();
      while (story.progress() instanceof Ready) story.sleep().unavailable();
      assertThat(story.now()).isEqualTo(failedAt.plusSeconds(2));
    }

    @Test
    void no_attempt_begins_after_the_total_time() {
      var pay = undoable("pay").retry(EXACT.within(ofSeconds(5)));
      var story = paying(pay).reports(Outcome.unavailable("AWAY", "")).sleep().unavailable();
      assertThat(story.progress(Undoing.class).step()).isEqualTo("hold");
    }

    @Test
    void a_total_time_without_end_is_no_mistake() {
      var pay = undoable("pay").retry(EXACT.within(Duration.ofSeconds(Long.MAX_VALUE)));
      assertThat(paying(pay).reports(Outcome.unavailable("AWAY", "")).sleeps())
          .isEqualTo(ofSeconds(2));
    }

    @Test
    void it_waits_as_long_as_the_other_side_asks() {
      assertThat(paying().reports(away(ofMinutes(7))).sleeps()).isEqualTo(ofMinutes(7));
    }

    @Test
    void it_does_not_come_earlier_than_its_own_wait() {
      assertThat(paying().reports(away(ofSeconds(1))).sleeps()).isEqualTo(ofSeconds(2));
    }

    @Test
    void it_waits_an_hour_at_most() {
      assertThat(paying().reports(away(ofHours(5))).sleeps()).isEqualTo(ofHours(1));
    }
  }

  @Nested
  class WhenNobodyKnows {

    @Test
    void it_asks_after_a_first_wait_and_the_call_may_be_under_way_until_its_timeout() {
      var story = paying().pass(ofSeconds(1)).reports(Outcome.unclear("reset"));
      assertThat(story.progress())
          .isEqualTo(
              new Asking("pay", 1, 0, story.now().plusSeconds(2), Story.START.plus(TIMEOUT)));
      assertThat(story.sleeps()).isEqualTo(ofSeconds(2));
      assertThat(story.trail().doubted()).isTrue();
      assertThat(story.sleep().make().call().key()).isEqualTo("o-1/pay/do");
    }

    @Test
    void pending_is_doubt_as_well() {
      var story = paying().reports(Outcome.pending("202 Accepted"));
      assertThat(story.progress()).isInstanceOf(Asking.class);
      assertThat(story.what()).isEqualTo("pay pending: 202 Accepted");
    }

    @Test
    void what_must_not_be_repeated_waits_for_a_signal_or_a_person() {
      var story = paying(undoable("pay").unrepeatable()).reports(Outcome.unclear("reset"));
      assertThat(story.progress(Asking.class).askAt()).isNull();
      assertThat(story.sleeps()).isEqualTo(DAY);
    }
  }

  @Nested
  class AtADeadline {

    @Test
    void its_answer_is_awaited() {
      var story = paying(safe("pay").deadline(ofSeconds(1))).pass(ofMinutes(1)).due();
      assertThat(story.progress()).isEqualTo(new Sent("pay", 1, Story.START));
      assertThat(story.next()).isEqualTo(new Next.Await());
    }

    @Test
    void success_counts_even_if_it_comes_after_the_deadline() {
      var story = paying(safe("pay").deadline(ofSeconds(1))).pass(ofSeconds(5));
      assertThat(story.reports(Outcome.done("data")).progress(Ready.class).step())
          .isEqualTo("ship");
    }

    @Test
    void doubt_about_a_safe_step_is_undone_after_the_calls_own_timeout_and_includes_it() {
      var story = paying(safe("pay").deadline(ofSeconds(1)));
      story.pass(ofSeconds(5)).reports(Outcome.unclear("reset"));
      assertThat(story.progress()).isInstanceOf(Asking.class);
      while (!(story.progress() instanceof Undoing)) {
        if (story.next() instanceof Next.Make) story.unclear();
        else story.sleep();
      }
      assertThat(story.now()).isAfterOrEqualTo(Story.START.plus(TIMEOUT));
      assertThat(story.succeeds().succeeds().calls()).endsWith("undo pay", "undo hold");
    }
  }

  @Nested
  class TakenOver {

    @Test
    void it_asks_at_once_and_under_the_same_key() {
      var story = paying().pass(ofSeconds(4)).abandoned();
      assertThat(story.make().direction()).isEqualTo(Direction.ASK);
      assertThat(story.make().call().key()).isEqualTo("o-1/pay/do");
      assertThat(story.trail().doubted()).isTrue();
      assertThat(story.what()).isEqualTo("taken over; pay is unclear: its worker died");
    }

    @Test
    void the_dead_workers_call_may_be_under_way_for_one_more_timeout() {
      var story = paying(probed(safe("pay"))).pass(ofSeconds(4)).abandoned();
      var quietAt = story.now().plus(TIMEOUT);
      assertThat(story.progress(Asking.class).quietAt()).isEqualTo(quietAt);
      story.answer(Outcome.absent("nothing")); // not believed yet
      assertThat(story.progress()).isInstanceOf(Asking.class);
    }

    @Test
    void it_never_undoes_first_even_long_after_every_deadline() {
      for (var pay : new Step<?>[] {safe("pay").deadline(ofSeconds(1)), undoable("pay")}) {
        @SuppressWarnings("unchecked")
        var story = paying((Step<String>) pay).pass(DAY.multipliedBy(3)).abandoned();
        assertThat(story.calls()).endsWith("ask pay");
      }
    }

    @Test
    void what_must_not_be_repeated_is_not() {
      var story = paying(undoable("pay").unrepeatable()).pass(ofSeconds(4)).abandoned();
      assertThat(story.calls()).endsWith("do pay");
      assertThat(story.next()).isInstanceOf(Next.Sleep.class);
    }
  }

  @Nested
  class Cancelled {

    private static Story cancelled(Step<String> pay) {
      return paying(pay).ruled(Kind.CANCEL);
    }

    @Test
    void it_waits_for_the_answer() {
      var story = cancelled(undoable("pay"));
      assertThat(story.verdict()).isEqualTo("noted: step pay must be known first");
      assertThat(story.next()).isEqualTo(new Next.Await());
    }

    @Test
    void success_is_undone_with_the_rest() {
      var story = cancelled(undoable("pay")).reports(Outcome.done("data")).succeeds().succeeds();
      assertThat(story.progress()).isEqualTo(new Undone());
      assertThat(story.calls()).endsWith("undo pay", "undo hold");
      assertThat(story.notices()).endsWith("undone CANCELLED");
    }

    @Test
    void failure_is_not_retried() {
      var story = cancelled(undoable("pay")).reports(Outcome.unavailable("AWAY", ""));
      assertThat(story.progress(Undoing.class).step()).isEqualTo("hold");
    }

    @Test
    void a_safe_step_in_doubt_is_not_sent_again_and_undone_once_it_is_quiet() {
      var story = cancelled(safe("pay")).pass(ofSeconds(1)).reports(Outcome.unclear("reset"));
      assertThat(story.sleepsUntil()).isEqualTo(Story.START.plus(TIMEOUT));
      story.sleep();
      assertThat(story.calls()).containsExactly("do hold", "do pay", "undo pay");
    }

    @Test
    void a_step_that_may_have_taken_money_must_be_known_first() {
      var story = cancelled(undoable("pay")).reports(Outcome.unclear("reset")).sleep();
      assertThat(story.calls()).endsWith("ask pay");
      assertThat(story.reports(Outcome.done("data")).progress(Undoing.class).step())
          .isEqualTo("pay");
    }

    @Test
    void the_pivot_that_happened_is_past_cancelling() {
      var story = Story.of(undoable("hold"), call("pay").pivot(), call("ship")).succeeds().sent();
      assertThat(story.ruled(Kind.CANCEL).verdict()).startsWith("noted");
      story.reports(Outcome.done("data"));
      assertThat(story.progress(Ready.class).step()).isEqualTo("ship");
      assertThat(story.what()).contains("too late to cancel");
      assertThat(story.trail().cancel()).isNull();
    }

    @Test
    void after_the_pivot_it_is_refused() {
      var story = Story.of(call("pay").pivot(), call("ship")).succeeds().sent();
      assertThat(story.ruled(Kind.CANCEL).verdict())
          .isEqualTo("refused: the point of no return was passed");
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CANCEL")
  void every_other_ruling_waits_for_the_answer(Kind kind) {
    var story = paying(undoable("pay").optional()).ruled(kind);
    assertThat(story.verdict()).isEqualTo("refused: a call is under way, its answer comes first");
    assertThat(story.next()).isEqualTo(new Next.Await());
  }

  @Test
  void what_must_not_be_puts_the_doubt_before_a_person() {
    var story = paying().pass(ofSeconds(1)).seized();
    assertThat(story.progress(Held.class).before()).isInstanceOf(Asking.class);
    assertThat(story.trail().doubted()).isTrue();
  }
}
