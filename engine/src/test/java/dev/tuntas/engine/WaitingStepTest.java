package dev.tuntas.engine;

import static dev.tuntas.engine.Steps.answered;
import static dev.tuntas.engine.Steps.call;
import static dev.tuntas.engine.Steps.signal;
import static dev.tuntas.engine.Steps.undoable;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.Progress.Done;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Progress.Undone;
import dev.tuntas.engine.Ruling.Kind;
import dev.tuntas.saga.AskPolicy;
import dev.tuntas.saga.GiveUp;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.RetryPolicy;
import dev.tuntas.saga.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A step that only waits: for the partner's callback, or for a poll that finds the job. Polls
/// start after 5 s, back off to a minute, and end after thirty minutes.
class WaitingStepTest {

  private static final AskPolicy POLLS =
      AskPolicy.firstAfter(ofSeconds(5)).then(RetryPolicy.patient().jitter(0));

  private static Step<String> job() {
    return answered(Step.<String>waitFor("job"))
        .ifUnclearAsk((data, call) -> Outcome.done(data), POLLS)
        .ifStillUnclear(GiveUp.undo(ofMinutes(30)));
  }

  /// Booked; the job id is still to come.
  private static Story waiting() {
    return Story.of(undoable("book"), job()).succeeds();
  }

  private static Duration elapsed(Story story) {
    return Duration.between(Story.START, story.now());
  }

  @Test
  void a_callback_within_five_seconds_means_no_poll() {
    var story = waiting();
    assertThat(story.sleeps()).isEqualTo(ofSeconds(5));
    story.pass(ofSeconds(4)).told("job", "yes");
    assertThat(story.progress()).isEqualTo(new Done());
    assertThat(story.calls()).containsExactly("do book");
  }

  @Test
  void polls_start_after_five_seconds_back_off_and_end_after_thirty_minutes() {
    var story = waiting();
    List<Long> polls = new ArrayList<>();
    while (story.progress() instanceof Asking) {
      story.sleep();
      if (!(story.next() instanceof Next.Make make) || !make.call().step().equals("job")) continue;
      polls.add(elapsed(story).toSeconds());
      story.answer(Outcome.pending("not yet assigned"));
    }
    assertThat(polls).startsWith(5L, 7L, 11L, 19L, 35L, 67L, 127L, 187L).hasSize(34);
    assertThat(elapsed(story)).isEqualTo(ofMinutes(30));
    assertThat(story.succeeds().progress()).isEqualTo(new Undone());
    assertThat(story.calls()).endsWith("undo book");
    assertThat(story.notices()).endsWith("undone STILL_UNCLEAR");
  }

  @Test
  void the_third_poll_may_find_it() {
    var story = waiting().sleep().answer(Outcome.pending("not yet")).sleep();
    story.answer(Outcome.pending("not yet")).sleep().answer(Outcome.done("job 7"));
    assertThat(story.progress()).isEqualTo(new Done());
    assertThat(story.data()).isEqualTo("job 7");
  }

  @Test
  void a_callback_at_seven_seconds_ends_the_polling() {
    var story = waiting().sleep().answer(Outcome.pending("not yet")).pass(ofSeconds(2));
    assertThat(story.told("job", "yes").progress()).isEqualTo(new Done());
  }

  @Test
  void a_permanent_error_ends_the_polling_at_once() {
    var story = waiting().sleep().answer(Outcome.declined("404", "no such booking"));
    assertThat(story.progress(Undoing.class).step()).isEqualTo("book");
    assertThat(elapsed(story)).isEqualTo(ofSeconds(5));
  }

  @Test
  void no_trace_is_not_yet() {
    var story = waiting().sleep().answer(Outcome.absent("nothing"));
    assertThat(story.progress()).isInstanceOf(Asking.class);
    assertThat(story.sleeps()).isEqualTo(ofSeconds(2));
  }

  @Test
  void the_deadline_of_the_saga_ends_it_earlier() {
    var saga = Story.saga(undoable("book"), job()).deadline(ofSeconds(6));
    var story = Story.of(saga).succeeds().sleep().answer(Outcome.pending("not yet")).sleep();
    assertThat(elapsed(story)).isEqualTo(ofSeconds(6));
    assertThat(story.progress(Undoing.class).step()).isEqualTo("book");
  }

  @Test
  void cancel_acts_at_once_because_nothing_was_sent() {
    var story = waiting().pass(ofSeconds(1)).ruled(Kind.CANCEL);
    assertThat(story.verdict()).isEqualTo("applied");
    assertThat(story.calls()).containsExactly("do book", "undo book");
  }

  @Test
  void a_wait_with_an_undo_may_have_come_true_and_is_undone() {
    var job = job().undo((data, call) -> Outcome.done(data));
    var story = Story.of(undoable("book"), job).succeeds().pass(ofSeconds(1)).ruled(Kind.CANCEL);
    assertThat(story.succeeds().calls()).containsExactly("do book", "undo job", "undo book");
  }

  @Test
  void without_a_poll_it_waits_for_the_callback_alone() {
    var job = answered(Step.<String>waitFor("job")).ifStillUnclear(GiveUp.undo(ofMinutes(30)));
    var story = Story.of(undoable("book"), job).succeeds();
    assertThat(story.sleeps()).isEqualTo(ofMinutes(30));
    assertThat(story.sleep().progress()).isInstanceOf(Undoing.class);
  }

  @Test
  void an_early_callback_is_found_when_the_step_is_entered() {
    var story = Story.of(undoable("book"), job()).sent().told(signal("job", "early", "yes"));
    assertThat(story.verdict()).isEqualTo("kept");
    assertThat(story.reports(Outcome.done("data")).progress()).isEqualTo(new Done());
    assertThat(story.what()).contains("waiting for job", "signal job had come before");
  }

  @Test
  void of_two_early_callbacks_the_first_that_says_something_counts() {
    var story = Story.of(undoable("book"), job()).sent();
    story.told(signal("job", "s-1", "wait")).told(signal("job", "s-2", "yes"));
    assertThat(story.reports(Outcome.done("data")).progress()).isEqualTo(new Done());
    assertThat(story.trail().mail()).isEmpty();
  }

  @Test
  void waiting_is_no_doubt() {
    assertThat(waiting().told("job", "yes").notices()).endsWith("step_done job", "done");
  }

  @Test
  void a_take_over_goes_on_waiting() {
    var story = waiting().pass(ofSeconds(1)).abandoned();
    assertThat(story.sleeps()).isEqualTo(ofSeconds(4));
  }

  /// A waiting step has nothing to send: whatever comes, it waits again.
  @Test
  void after_the_pivot_a_failed_wait_is_held_and_retried_by_waiting() {
    var job = job().ifStillUnclear(GiveUp.hold(ofMinutes(30)));
    var story = Story.of(call("pay").pivot(), job).succeeds().told("job", "no");
    assertThat(story.progress()).isInstanceOf(Held.class);
    story.ruled(Kind.RETRY);
    assertThat(story.progress()).isInstanceOf(Asking.class);
    assertThat(story.told("job", "yes").progress()).isEqualTo(new Done());
    assertThat(story.calls()).doesNotContain("do job");
  }

  @Test
  void after_the_pivot_a_wait_that_did_not_come_true_goes_on_waiting() {
    var job = job().ifStillUnclear(GiveUp.hold(ofMinutes(30)));
    var story = Story.of(call("pay").pivot(), job).succeeds().ruled(Kind.DID_NOT_HAPPEN);
    assertThat(story.progress()).isInstanceOf(Asking.class);
    assertThat(story.calls()).doesNotContain("do job");
  }

  private static final AskPolicy ATTEMPTS =
      AskPolicy.firstAfter(Duration.ZERO)
          .lasting(ofMinutes(2))
          .then(RetryPolicy.patient().intervals(ofSeconds(15), ofSeconds(60)).jitter(0));

  /// Attempts of two minutes, each with a question at its end, and a pause before the next.
  @Test
  void what_a_question_begins_takes_its_time_before_it_is_asked_what_came_of_it() {
    var story =
        Story.of(
            answered(Step.<String>waitFor("driver"))
                .ifUnclearAsk((data, call) -> Outcome.done(data), ATTEMPTS));
    for (int pause : new int[] {15, 30, 60, 60}) {
      story.answer(Outcome.pending("looking"));
      assertThat(story.sleeps()).isEqualTo(ofMinutes(2));
      story.sleep().answer(Outcome.pending("no driver"));
      assertThat(story.sleeps()).isEqualTo(ofSeconds(pause));
      story.sleep();
    }
    story.unavailable();
    assertThat(story.sleeps()).as("nothing has begun").isEqualTo(ofSeconds(60));
  }

  @Test
  void the_data_may_tell_when_to_ask() {
    var story =
        Story.of(
            answered(Step.<String>waitFor("driver"))
                .ifUnclearAsk(
                    (data, call) -> Outcome.done(data),
                    data -> ATTEMPTS.lasting(ofMinutes(data.length()))));
    var minutes = ofMinutes(story.data().length());
    story.answer(Outcome.pending("looking"));
    assertThat(story.sleeps()).isEqualTo(minutes);
  }

  /// One clock for several steps: it was set when the saga began.
  @Test
  void a_time_told_by_the_data_ends_the_wait_whenever_it_began() {
    var end = Story.START.plus(ofMinutes(30));
    var story = Story.of(undoable("book").until(_ -> end), job().until(_ -> end));
    story.pass(ofMinutes(29)).due().succeeds();
    while (story.progress() instanceof Asking) {
      if (story.next() instanceof Next.Make) story.answer(Outcome.pending("not yet"));
      else story.sleep();
    }
    assertThat(story.progress()).isInstanceOf(Undoing.class);
    assertThat(story.now()).isEqualTo(end);
  }
}
