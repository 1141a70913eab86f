package dev.tuntas.engine;

import static dev.tuntas.engine.Steps.DAY;
import static dev.tuntas.engine.Steps.TIMEOUT;
import static dev.tuntas.engine.Steps.answered;
import static dev.tuntas.engine.Steps.call;
import static dev.tuntas.engine.Steps.safe;
import static dev.tuntas.engine.Steps.undoable;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Next.Direction;
import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Ready;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Progress.Undone;
import dev.tuntas.engine.Ruling.Kind;
import dev.tuntas.saga.AskPolicy;
import dev.tuntas.saga.Failure.Unavailable;
import dev.tuntas.saga.GiveUp;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Failed;
import dev.tuntas.saga.RetryPolicy;
import dev.tuntas.saga.Step;
import java.time.Instant;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// `Asking`: nobody knows whether the step happened.
class WhileAskingTest {

  private static final Instant QUIET = Story.START.plus(TIMEOUT);
  private static final AskPolicy EXACT =
      AskPolicy.firstAfter(ofSeconds(2)).then(RetryPolicy.patient().jitter(0));

  /// Sent at the start; a second later nobody knows.
  private static Story inDoubt(Step<String> pay) {
    return Story.of(undoable("hold"), pay, undoable("ship"))
        .succeeds()
        .sent()
        .pass(ofSeconds(1))
        .reports(Outcome.unclear("reset"));
  }

  private static Story inDoubt() {
    return inDoubt(undoable("pay").ifUnclearRepeat(EXACT));
  }

  private static Step<String> asked(Step<String> step) {
    return step.ifUnclearAsk((data, call) -> Outcome.done(data), EXACT);
  }

  /// Lets it ask in vain until it does something else.
  private static Story inVain(Story story) {
    while (story.progress() instanceof Asking) {
      if (story.next() instanceof Next.Make) story.unclear();
      else story.sleep();
    }
    return story;
  }

  @Test
  void an_answer_that_it_happened_leads_on() {
    var story = inDoubt().sleep().answer(Outcome.done("paid"));
    assertThat(story.progress(Ready.class).step()).isEqualTo("ship");
    assertThat(story.data()).isEqualTo("paid");
    assertThat(story.what()).isEqualTo("asked about pay: succeeded");
    assertThat(story.notices()).endsWith("step_done pay doubted");
  }

  @Test
  void an_answer_that_it_failed_undoes_what_came_before_and_not_the_step() {
    var story = inDoubt().sleep().declined();
    assertThat(story.progress(Undoing.class).step()).isEqualTo("hold");
  }

  @Test
  void doubt_that_remains_is_asked_again_with_growing_waits() {
    var story = inDoubt().sleep().unclear();
    for (long seconds : new long[] {2, 4, 8, 16, 32, 60, 60}) {
      assertThat(story.sleeps()).isEqualTo(ofSeconds(seconds));
      story.sleep();
      assertThat(story.make().direction()).isEqualTo(Direction.ASK);
      story.unclear();
    }
  }

  @Test
  void a_question_that_could_not_be_asked_leaves_doubt() {
    var story = inDoubt().sleep();
    story.answer(new Failed<>(new Unavailable("BUSY", "", ofMinutes(3))));
    assertThat(story.progress(Asking.class).asks()).isEqualTo(1);
    assertThat(story.sleeps()).isEqualTo(ofMinutes(3));
  }

  @Test
  void a_late_answer_without_a_question_is_heard_too() {
    assertThat(inDoubt().reports(Outcome.done("data")).progress()).isInstanceOf(Ready.class);
  }

  @Nested
  class WhenNoTraceWasFound {

    @Test
    void before_the_call_must_have_ended_it_stays_doubt() {
      var story = inDoubt(asked(safe("pay"))).sleep().answer(Outcome.absent("nothing"));
      assertThat(story.now()).isBefore(QUIET);
      assertThat(story.progress()).isInstanceOf(Asking.class);
    }

    @Test
    void one_moment_before_is_before() {
      var story = inDoubt(asked(safe("pay"))).passTo(QUIET.minusMillis(1)).due();
      assertThat(story.answer(Outcome.absent("nothing")).progress()).isInstanceOf(Asking.class);
    }

    @Test
    void after_that_it_is_sent_again_as_the_next_attempt() {
      var story = inDoubt(asked(safe("pay"))).passTo(QUIET).due();
      story.answer(Outcome.absent("nothing"));
      assertThat(story.progress(Ready.class).attempt()).isEqualTo(2);
      assertThat(story.sleep().make().call().key()).isEqualTo("o-1/pay/do");
    }

    @Test
    void after_that_the_last_attempt_has_failed_and_an_undo_leaves_its_tombstone() {
      var pay = asked(safe("pay")).retry(RetryPolicy.once());
      var story = inDoubt(pay).passTo(QUIET).due().answer(Outcome.absent("nothing"));
      assertThat(story.trail().cause().code()).isEqualTo("NOT_FOUND");
      assertThat(story.succeeds().calls()).endsWith("undo pay", "undo hold");
    }

    @Test
    void after_that_what_has_no_undo_has_failed() {
      var pay = asked(call("pay").harmless()).retry(RetryPolicy.once());
      var story = inDoubt(pay).passTo(QUIET).due().answer(Outcome.absent("nothing"));
      assertThat(story.progress(Undoing.class).step()).isEqualTo("hold");
    }

    @Test
    void a_repeated_action_cannot_say_so() {
      var story = inDoubt().passTo(QUIET.plusSeconds(60)).due().answer(Outcome.absent("nothing"));
      assertThat(story.progress()).isInstanceOf(Asking.class);
    }
  }

  @Nested
  class WhenDoubtOutlastsAllAsking {

    @Test
    void its_time_begins_with_the_doubt_however_long_the_step_had_to_wait_for_its_call() {
      var pay = undoable("pay").ifUnclearRepeat(EXACT).ifStillUnclear(GiveUp.hold(ofSeconds(20)));
      var story = Story.of(pay).pass(ofSeconds(40)).unclear();
      assertThat(story.progress()).isInstanceOf(Asking.class);
      var doubtedAt = story.now();
      assertThat(inVain(story).progress()).isInstanceOf(Held.class);
      assertThat(story.now()).isEqualTo(doubtedAt.plusSeconds(20));
    }

    @Test
    void the_same_if_its_worker_died() {
      var pay = undoable("pay").ifUnclearRepeat(EXACT).ifStillUnclear(GiveUp.hold(ofSeconds(20)));
      var story = Story.of(pay).sent().pass(ofSeconds(40)).abandoned();
      var doubtedAt = story.now();
      assertThat(inVain(story).progress()).isInstanceOf(Held.class);
      assertThat(story.now()).isEqualTo(doubtedAt.plusSeconds(20));
    }

    @Test
    void a_second_doubt_about_the_step_does_not_begin_it_again() {
      var pay = asked(undoable("pay")).ifStillUnclear(GiveUp.hold(ofMinutes(1)));
      var story = inDoubt(pay).passTo(QUIET).due().answer(Outcome.absent("nothing")).sleep();
      assertThat(inVain(story.unclear()).now()).isEqualTo(Story.START.plusSeconds(61));
    }

    @Test
    void a_person_who_lets_it_go_on_gives_it_the_time_again() {
      var story = inVain(inDoubt()).pass(DAY).ruled(Kind.RETRY);
      var goesOnAt = story.now();
      assertThat(inVain(story.due()).now()).isEqualTo(goesOnAt.plus(DAY));
    }

    @Test
    void a_step_that_may_have_taken_money_is_held_for_a_person() {
      var story = inVain(inDoubt());
      assertThat(story.progress(Held.class).before()).isInstanceOf(Asking.class);
      assertThat(story.progress(Held.class).why().code()).isEqualTo("STILL_UNCLEAR");
      assertThat(story.now()).isEqualTo(Story.START.plusSeconds(1).plus(DAY));
      assertThat(story.calls()).doesNotContain("undo pay", "undo hold");
      assertThat(story.notices()).endsWith("held pay STILL_UNCLEAR doubted");
    }

    @Test
    void a_safe_step_is_undone_together_with_what_came_before() {
      var story = inVain(inDoubt(safe("pay")));
      assertThat(story.now()).isBetween(Story.START.plus(DAY), Story.START.plus(DAY).plus(TIMEOUT));
      assertThat(story.succeeds().succeeds().progress()).isEqualTo(new Undone());
      assertThat(story.calls()).endsWith("undo pay", "undo hold");
    }

    @Test
    void the_pivot_is_held_for_a_person() {
      var saga = Story.saga(undoable("hold"), call("pay").pivot()).deadline(ofMinutes(1));
      var story = inVain(Story.of(saga).succeeds().unclear());
      assertThat(story.now()).isEqualTo(Story.START.plus(DAY));
      assertThat(story.rests(Status.HELD)).isTrue();
    }

    @Test
    void what_nobody_can_ask_about_waits_quietly() {
      var story = inVain(inDoubt(undoable("pay").unrepeatable()));
      assertThat(story.calls()).containsExactly("do hold", "do pay");
      assertThat(story.rests(Status.HELD)).isTrue();
    }
  }

  @Nested
  class AtADeadline {

    private static Story inVainBy(Step<String> pay) {
      var saga = Story.saga(undoable("hold"), pay, undoable("ship")).deadline(ofMinutes(1));
      return inVain(Story.of(saga).succeeds().sent().reports(Outcome.unclear("reset")));
    }

    @Test
    void a_step_that_may_have_taken_money_is_not_touched() {
      var story = inVainBy(undoable("pay").deadline(ofSeconds(30)));
      assertThat(story.rests(Status.HELD)).isTrue();
      assertThat(story.now()).isEqualTo(Story.START.plus(DAY));
    }

    @Test
    void a_safe_step_is_undone_by_the_deadline_of_the_saga() {
      var story = inVainBy(asked(safe("pay")));
      assertThat(story.now()).isEqualTo(Story.START.plusSeconds(60));
      assertThat(story.progress(Undoing.class).step()).isEqualTo("pay");
    }

    @Test
    void a_safe_step_is_undone_by_its_own_deadline() {
      var story = inVainBy(asked(safe("pay")).deadline(ofSeconds(30)));
      assertThat(story.now()).isEqualTo(Story.START.plusSeconds(30));
    }

    @Test
    void nothing_is_undone_while_the_call_may_be_under_way() {
      var story = inVainBy(asked(safe("pay")).deadline(ofMillis(1)));
      assertThat(story.now()).isEqualTo(QUIET);
    }

    @Test
    void success_found_after_the_deadline_is_undone_at_the_next_step() {
      var saga = Story.saga(undoable("pay"), undoable("ship")).deadline(ofMinutes(1));
      var story = Story.of(saga).unclear().pass(ofMinutes(2)).due().succeeds();
      assertThat(story.progress(Undoing.class).step()).isEqualTo("pay");
      assertThat(story.trail().cause().code()).isEqualTo("DEADLINE");
    }
  }

  /// An action that is repeated as a question can itself bring the effect about.
  @Nested
  class AskedByRepeating {

    @Test
    void an_unclear_answer_does_not_mean_that_the_first_call_has_ended() {
      var story = inDoubt(safe("pay")).sleep().unclear().ruled(Kind.CANCEL);
      assertThat(story.now()).isBefore(QUIET);
      story.sleep();
      assertThat(story.calls()).endsWith("undo pay");
      assertThat(story.now()).isAfterOrEqualTo(QUIET);
    }

    @Test
    void an_unclear_answer_does_not_mean_that_the_repetition_has_ended() {
      var story = inDoubt(safe("pay")).pass(ofMinutes(1)).due().sent();
      var repeatedAt = story.now();
      story.pass(ofSeconds(1)).reports(Outcome.unclear("reset")).ruled(Kind.CANCEL).sleep();
      assertThat(story.calls()).endsWith("undo pay");
      assertThat(story.now()).isAfterOrEqualTo(repeatedAt.plus(TIMEOUT));
    }

    @Test
    void news_during_the_question_does_not_ask_it_twice() {
      var story = inDoubt(answered(safe("pay"))).pass(ofMinutes(1)).due().sent();
      var asking = story.progress();
      story.pass(ofSeconds(1)).told("pay", "wait"); // the worker compares, and goes on waiting
      assertThat(story.progress()).isEqualTo(asking);
    }

    @Test
    void waiting_for_a_permit_is_no_question() {
      var story = inDoubt(safe("pay")).pass(ofMinutes(1)).due().pass(ofMinutes(1)).due();
      assertThat(story.progress(Asking.class).quietAt()).isEqualTo(QUIET);
    }

    @Test
    void short_intervals_do_not_put_the_end_off_for_ever() {
      var often = RetryPolicy.patient().intervals(ofSeconds(1), ofSeconds(1));
      var pay = safe("pay").ifUnclearRepeat(AskPolicy.firstAfter(ofSeconds(1)).then(often));
      var story = inVain(inDoubt(pay.deadline(ofMinutes(1))));
      assertThat(story.progress()).isInstanceOf(Undoing.class);
      assertThat(story.now())
          .isBetween(Story.START.plusSeconds(60), Story.START.plusSeconds(60).plus(TIMEOUT));
    }

    @Test
    void a_take_over_does_not_know_when_the_dead_worker_asked_last() {
      var story = inDoubt(safe("pay")).pass(ofMinutes(1)).abandoned();
      var takenOverAt = story.now();
      story.ruled(Kind.CANCEL).sleep();
      assertThat(story.calls()).endsWith("undo pay");
      assertThat(story.now()).isAfterOrEqualTo(takenOverAt.plus(TIMEOUT));
    }
  }

  @Test
  void a_take_over_goes_on_asking() {
    var story = inDoubt(asked(safe("pay"))).pass(ofMinutes(1)).abandoned();
    assertThat(story.calls()).endsWith("ask pay");
    // Written before the call, so that the store has confirmed who owns the saga now.
    assertThat(story.what()).isEqualTo("taken over");
  }

  @Nested
  class AboutAnOptionalStep {

    private static Step<String> look() {
      return asked(undoable("pay").optional());
    }

    @Test
    void it_goes_on_after_a_few_questions_and_would_undo_it() {
      var story = inVain(inDoubt(look()));
      assertThat(story.progress(Ready.class).step()).isEqualTo("ship");
      assertThat(story.notices()).endsWith("step_skipped pay STILL_UNCLEAR doubted");
      story.declined().succeeds().succeeds();
      assertThat(story.calls()).endsWith("undo pay", "undo hold");
    }

    @Test
    void it_does_not_go_on_while_the_call_may_be_under_way() {
      assertThat(inVain(inDoubt(look())).now()).isAfterOrEqualTo(QUIET);
      var impatient = look().ifStillUnclear(GiveUp.hold(ofSeconds(3)));
      assertThat(inVain(inDoubt(impatient)).now()).isAfterOrEqualTo(QUIET);
    }

    @Test
    void a_person_may_skip_it_once_the_call_has_ended() {
      var story = inDoubt(look()).ruled(Kind.SKIP);
      assertThat(story.verdict())
          .isEqualTo("refused: a call may still be under way until " + QUIET);
      story.passTo(QUIET).ruled(Kind.SKIP);
      assertThat(story.progress(Ready.class).step()).isEqualTo("ship");
      assertThat(story.declined().calls()).endsWith("undo pay");
    }

    @Test
    void that_left_no_trace_the_saga_goes_on_and_an_undo_would_leave_its_tombstone() {
      var once = look().retry(RetryPolicy.once());
      var story = inDoubt(once).passTo(QUIET).due().answer(Outcome.absent("nothing"));
      assertThat(story.progress(Ready.class).step()).isEqualTo("ship");
      assertThat(story.declined().calls()).endsWith("do ship", "undo pay");
    }

    @Test
    void that_was_declined_in_the_end_is_not_undone() {
      var story = inDoubt(look()).sleep().declined();
      assertThat(story.trail().skipped()).containsExactly("pay");
      assertThat(story.declined().calls()).endsWith("do ship", "undo hold");
    }
  }

  @Nested
  class ToldASignal {

    private static Story answerable() {
      return inDoubt(answered(undoable("pay")));
    }

    @Test
    void that_it_happened_leads_on() {
      var story = answerable().told("pay", "yes");
      assertThat(story.progress(Ready.class).step()).isEqualTo("ship");
      assertThat(story.data()).isEqualTo("data+pay");
    }

    @Test
    void that_it_failed_undoes_what_came_before() {
      assertThat(answerable().told("pay", "no").progress(Undoing.class).step()).isEqualTo("hold");
    }

    @Test
    void that_says_nothing_new_changes_nothing() {
      var story = answerable();
      var before = story.progress();
      story.told("pay", "wait");
      assertThat(story.verdict()).isEqualTo("redundant");
      assertThat(story.progress()).isEqualTo(before);
      assertThat(story.what()).endsWith("it says nothing new: not yet");
    }

    @Test
    void that_its_handler_cannot_read_is_refused_and_doubt_remains() {
      var story = answerable().told("pay", "???");
      assertThat(story.verdict()).isEqualTo("refused: it could not be read");
      assertThat(story.progress()).isInstanceOf(Asking.class);
    }
  }

  @Nested
  class Ruled {

    @Test
    void cancel_waits_until_a_safe_step_is_quiet_and_may_still_probe() {
      var story = inDoubt(asked(safe("pay"))).ruled(Kind.CANCEL);
      assertThat(story.verdict()).isEqualTo("applied");
      assertThat(story.sleep().make().direction()).isEqualTo(Direction.ASK);
      story.unclear();
      while (story.next() instanceof Next.Sleep) story.sleep();
      assertThat(inVain(story).now()).isEqualTo(QUIET);
      assertThat(story.progress(Undoing.class).step()).isEqualTo("pay");
    }

    @Test
    void cancel_of_a_step_that_may_have_taken_money_waits_for_the_answer() {
      var story = inDoubt().ruled(Kind.CANCEL);
      assertThat(story.verdict()).isEqualTo("noted: step pay must be known first");
      assertThat(story.sleep().succeeds().progress(Undoing.class).step()).isEqualTo("pay");
    }

    @Test
    void cancel_of_a_pivot_in_doubt_waits_for_the_answer() {
      var doubt = Story.of(undoable("hold"), call("pay").pivot()).succeeds().unclear();
      assertThat(doubt.ruled(Kind.CANCEL).verdict())
          .isEqualTo("noted: step pay must be known first");
      assertThat(doubt.sleep().declined().progress(Undoing.class).step()).isEqualTo("hold");
    }

    @Test
    void retry_asks_now() {
      assertThat(inDoubt().ruled(Kind.RETRY).make().direction()).isEqualTo(Direction.ASK);
    }

    @Test
    void retry_of_what_must_not_be_repeated_sends_nothing() {
      var story = inDoubt(undoable("pay").unrepeatable()).ruled(Kind.RETRY);
      assertThat(story.next()).isInstanceOf(Next.Sleep.class);
    }

    @Test
    void it_happened_leads_on() {
      assertThat(inDoubt().ruled(Kind.HAPPENED).progress(Ready.class).step()).isEqualTo("ship");
    }

    @Test
    void it_did_not_happen_is_believed_once_the_call_has_ended() {
      var story = inDoubt().ruled(Kind.DID_NOT_HAPPEN);
      assertThat(story.verdict())
          .isEqualTo("refused: a call may still be under way until " + QUIET);
      story.passTo(QUIET).ruled(Kind.DID_NOT_HAPPEN);
      assertThat(story.progress(Undoing.class).step()).isEqualTo("hold");
      assertThat(story.trail().cause().code()).isEqualTo("RULED");
    }

    @Test
    void it_did_not_happen_after_the_pivot_sends_it_again() {
      var story = Story.of(call("pay").pivot(), call("ship")).succeeds().unclear();
      story.pass(TIMEOUT).ruled(Kind.DID_NOT_HAPPEN);
      assertThat(story.calls()).endsWith("do ship");
    }

    @Test
    void give_up_undoes_a_safe_step_once_the_call_has_ended() {
      var story = inDoubt(safe("pay")).ruled(Kind.GIVE_UP);
      assertThat(story.verdict())
          .isEqualTo("refused: a call may still be under way until " + QUIET);
      story.passTo(QUIET).ruled(Kind.GIVE_UP);
      assertThat(story.progress(Undoing.class).step()).isEqualTo("pay");
    }

    @Test
    void give_up_on_a_step_that_may_have_taken_money_is_refused() {
      var story = inDoubt().pass(DAY.minusMinutes(1)).ruled(Kind.GIVE_UP);
      assertThat(story.verdict()).isEqualTo("refused: first say whether pay happened");
    }

    @Test
    void skip_of_a_step_that_matters_is_refused() {
      assertThat(inDoubt().ruled(Kind.SKIP).verdict())
          .isEqualTo("refused: only an optional step can be skipped");
    }
  }

  @Test
  void what_must_not_be_puts_it_before_a_person() {
    var story = inDoubt();
    var before = story.progress();
    assertThat(story.seized().progress(Held.class).before()).isEqualTo(before);
  }
}
