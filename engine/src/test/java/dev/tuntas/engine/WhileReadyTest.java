package dev.tuntas.engine;

import static dev.tuntas.engine.Steps.answered;
import static dev.tuntas.engine.Steps.call;
import static dev.tuntas.engine.Steps.signal;
import static dev.tuntas.engine.Steps.undoable;
import static dev.tuntas.engine.Steps.waiting;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Next.Direction;
import dev.tuntas.engine.Progress.Done;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Ready;
import dev.tuntas.engine.Progress.Sent;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Progress.Undone;
import dev.tuntas.engine.Ruling.Kind;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.RetryPolicy;
import java.time.Instant;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// `Ready`: the step may be called, and no call of this attempt has gone out.
class WhileReadyTest {

  /// Held a room; ready to charge.
  private static Story readyToPay() {
    return Story.of(undoable("hold"), answered(undoable("pay")), waiting("job")).succeeds();
  }

  /// Held a room; charging was not possible and is tried again later.
  private static Story readyAgain() {
    return readyToPay().unavailable();
  }

  @Test
  void a_new_saga_is_ready_for_its_first_step() {
    var story = Story.of(undoable("pay").lane("bank").key("charge-{id}"));
    assertThat(story.progress()).isEqualTo(new Ready("pay", 1, Story.START));
    var call = new Call("o-1", "pay", "charge-o-1", 1, Steps.TIMEOUT);
    var queue = new Next.Queue("bank", Next.Rank.ACT, Instant.MAX);
    assertThat(story.make()).isEqualTo(new Next.Make(Direction.DO, call, queue));
    assertThat(story.what()).isEqualTo("accepted");
    assertThat(story.notices()).containsExactly("started");
  }

  @Test
  void a_call_is_noted_as_sent_under_its_key_only_with_a_permit() {
    var story = readyToPay();
    assertThat(story.progress()).isEqualTo(new Ready("pay", 1, Story.START));
    story.pass(ofSeconds(3)).sent();
    assertThat(story.progress()).isEqualTo(new Sent("pay", 1, story.now()));
    assertThat(story.what()).endsWith("sent pay, key o-1/pay/do");
  }

  @Test
  void only_a_call_that_is_to_be_made_can_be_noted_as_sent() {
    var story = readyAgain();
    assertThat(story.sent().progress()).isInstanceOf(Ready.class);
    story.sleep().sent();
    assertThat(story.what()).isEqualTo("sent pay #2, key o-1/pay/do");
  }

  @Test
  void it_waits_for_its_time_and_calls_then() {
    var story = readyAgain();
    var at = story.progress(Ready.class).at();
    assertThat(story.sleepsUntil()).isEqualTo(at);
    story.passTo(at.minusMillis(1)).due();
    assertThat(story.sleepsUntil()).isEqualTo(at);
    story.pass(ofMillis(1)).due();
    assertThat(story.make().call().attempt()).isEqualTo(2);
    assertThat(story.what()).isEmpty();
  }

  @Test
  void a_take_over_calls_because_nothing_was_sent() {
    var story = readyToPay().abandoned();
    assertThat(story.calls()).endsWith("do pay");
    assertThat(story.trail().doubted()).isFalse();
  }

  @Test
  void an_answer_that_nobody_waits_for_changes_nothing() {
    var story = readyAgain();
    var before = story.progress();
    story.reports(Outcome.done("other"));
    assertThat(story.progress()).isEqualTo(before);
    assertThat(story.data()).isEqualTo("data");
    assertThat(story.what()).isEqualTo("an answer came that nobody waits for");
  }

  @Test
  void what_must_not_be_puts_it_before_a_person() {
    var story = readyToPay().seized();
    var why = new Failure.Broken("BUG", "it threw");
    assertThat(story.progress()).isEqualTo(new Held(new Ready("pay", 1, Story.START), why));
    assertThat(story.notices()).endsWith("held pay BUG");
  }

  @Nested
  class AtADeadline {

    @Test
    void of_the_step_what_came_before_is_undone() {
      var story = Story.of(undoable("hold"), undoable("pay").deadline(ofMinutes(1))).succeeds();
      story.pass(ofMinutes(1).minusMillis(1)).due();
      assertThat(story.make().direction()).isEqualTo(Direction.DO);
      story.pass(ofMillis(1)).due();
      assertThat(story.progress(Undoing.class).step()).isEqualTo("hold");
      assertThat(story.what()).contains("pay ran out of time", "turning back: DEADLINE");
    }

    @Test
    void of_the_saga_it_counts_from_acceptance() {
      var saga = Story.saga(undoable("hold"), undoable("pay")).deadline(ofMinutes(1));
      var story = Story.of(saga).sent().pass(ofSeconds(50)).reports(Outcome.done("data"));
      assertThat(story.unavailable().sleeps()).isLessThan(ofSeconds(3));
      story.pass(ofSeconds(10)).due();
      assertThat(story.progress(Undoing.class).step()).isEqualTo("hold");
    }

    @Test
    void it_wakes_for_the_deadline_when_the_retry_comes_later() {
      var late = RetryPolicy.patient().jitter(0);
      var story = Story.of(undoable("pay").retry(late).deadline(ofSeconds(1))).unavailable();
      assertThat(story.sleeps()).isEqualTo(ofSeconds(1));
      assertThat(story.sleep().progress()).isEqualTo(new Undone());
    }

    @Test
    void of_an_optional_step_it_goes_on_without_it() {
      var look = undoable("look").optional().deadline(ofSeconds(1));
      var story = Story.of(look, undoable("pay")).pass(ofSeconds(1)).due();
      assertThat(story.progress(Ready.class).step()).isEqualTo("pay");
      assertThat(story.trail().skipped()).containsExactly("look");
      assertThat(story.notices()).endsWith("step_skipped look DEADLINE");
    }

    @Test
    void of_a_step_after_the_pivot_a_person_decides() {
      var story = Story.of(call("pay").pivot(), call("ship").deadline(ofSeconds(9))).succeeds();
      story.pass(ofSeconds(9)).due();
      assertThat(story.progress(Held.class).why().code()).isEqualTo("DEADLINE");
    }

    @Test
    void of_the_saga_nothing_happens_after_the_pivot() {
      var saga = Story.saga(call("pay").pivot(), call("ship")).deadline(ofSeconds(9));
      var story = Story.of(saga).succeeds().pass(ofMinutes(9)).due();
      assertThat(story.calls()).containsExactly("do pay", "do ship", "do ship");
    }
  }

  @Nested
  class ToldASignal {

    @Test
    void for_its_step_it_takes_the_answer_and_never_calls() {
      var story = readyAgain().told("pay", "yes");
      assertThat(story.progress(Progress.Asking.class).step()).isEqualTo("job");
      assertThat(story.data()).isEqualTo("data+pay");
      assertThat(story.verdict()).isEqualTo("applied");
      assertThat(story.calls()).containsExactly("do hold", "do pay");
    }

    @Test
    void that_its_step_failed_it_turns_back() {
      var story = readyAgain().told("pay", "no");
      assertThat(story.progress(Undoing.class).step()).isEqualTo("hold");
    }

    @Test
    void for_a_later_step_it_keeps_it() {
      var story = readyToPay().told("job", "yes");
      assertThat(story.verdict()).isEqualTo("kept");
      assertThat(story.trail().mail()).containsExactly(signal("job", "yes"));
      assertThat(story.succeeds().progress()).isEqualTo(new Done());
      assertThat(story.data()).isEqualTo("data+job");
      assertThat(story.trail().mail()).isEmpty();
    }

    @Test
    void that_no_step_waits_for_it_is_late() {
      var story = readyToPay().told("hotel", "yes");
      assertThat(story.verdict()).isEqualTo("late");
      assertThat(story.notices()).endsWith("late_signal pay");
      assertThat(story.progress(Ready.class).step()).isEqualTo("pay");
    }
  }

  @Nested
  class Ruled {

    @Test
    void cancel_undoes_what_came_before() {
      var story = readyToPay().ruled(Kind.CANCEL);
      assertThat(story.verdict()).isEqualTo("applied");
      assertThat(story.make().call().key()).isEqualTo("o-1/hold/undo");
      assertThat(story.trail().cause())
          .isEqualTo(new Failure.Cancelled("CANCELLED", "ana: she knows"));
      assertThat(story.what()).startsWith("ana ruled 'cancel': she knows [mail 7]");
    }

    @Test
    void cancel_before_anything_was_sent_ends_it_at_once() {
      var story = Story.of(undoable("hold")).ruled(Kind.CANCEL);
      assertThat(story.progress()).isEqualTo(new Undone());
      assertThat(story.notices())
          .containsExactly("started", "undoing hold CANCELLED", "undone CANCELLED");
    }

    @Test
    void cancel_stops_a_pivot_that_was_not_sent() {
      var story = Story.of(undoable("hold"), call("pay").pivot()).succeeds().ruled(Kind.CANCEL);
      assertThat(story.progress(Undoing.class).step()).isEqualTo("hold");
    }

    @Test
    void cancel_after_the_pivot_is_refused() {
      var story = Story.of(call("pay").pivot(), call("ship")).succeeds().ruled(Kind.CANCEL);
      assertThat(story.verdict()).isEqualTo("refused: the point of no return was passed");
      assertThat(story.make().call().step()).isEqualTo("ship");
    }

    @Test
    void retry_ends_the_wait() {
      var story = readyAgain().ruled(Kind.RETRY);
      assertThat(story.verdict()).isEqualTo("applied");
      assertThat(story.make().call().attempt()).isEqualTo(2);
    }

    @Test
    void it_happened_is_refused_because_nothing_was_sent() {
      var story = readyAgain().ruled(Kind.HAPPENED);
      assertThat(story.verdict()).isEqualTo("refused: the step was not sent, so it did not happen");
      assertThat(story.what()).endsWith(story.verdict());
    }

    @Test
    void it_did_not_happen_is_refused_because_nothing_is_in_doubt() {
      assertThat(readyAgain().ruled(Kind.DID_NOT_HAPPEN).verdict())
          .isEqualTo("refused: nothing is in doubt");
    }

    @Test
    void give_up_turns_back() {
      var story = readyAgain().ruled(Kind.GIVE_UP);
      assertThat(story.progress(Undoing.class).step()).isEqualTo("hold");
      assertThat(story.what()).contains("turning back: GIVEN_UP");
    }

    @Test
    void give_up_after_the_pivot_is_refused() {
      var story = Story.of(call("pay").pivot(), call("ship")).succeeds().ruled(Kind.GIVE_UP);
      assertThat(story.verdict())
          .isEqualTo("refused: the point of no return was passed; retry, or say that it happened");
    }

    @Test
    void skip_goes_on_without_an_optional_step_and_with_no_other() {
      assertThat(readyAgain().ruled(Kind.SKIP).verdict())
          .isEqualTo("refused: only an optional step can be skipped");
      var story = Story.of(undoable("look").optional(), undoable("pay")).ruled(Kind.SKIP);
      assertThat(story.progress(Ready.class).step()).isEqualTo("pay");
      assertThat(story.declined().progress()).isEqualTo(new Undone());
      assertThat(story.calls()).doesNotContain("undo look");
    }
  }
}
