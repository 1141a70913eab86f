package dev.tuntas.saga;

import static dev.tuntas.saga.Sample.call;
import static dev.tuntas.saga.Sample.saga;
import static dev.tuntas.saga.Sample.undoable;
import static dev.tuntas.saga.Sample.waiting;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/// A definition that cannot be right is refused when it is built, with a sentence that says why.
class DefinitionRefusalTest {

  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  private static void refused(String sentence, Step<String>... steps) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> saga(steps))
        .withMessage("saga 'booking' version 1: " + sentence);
  }

  @Test
  void no_steps() {
    refused("it has no steps");
  }

  @Test
  void a_name_that_is_blank_or_long() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SagaDefinition.saga(" ", 1, String.class, undoable("a")))
        .withMessageEndingWith("a definition's name has 1 to 60 characters");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SagaDefinition.saga("x".repeat(61), 1, String.class, undoable("a")))
        .withMessageEndingWith("a definition's name has 1 to 60 characters");
  }

  @Test
  void a_version_below_one() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SagaDefinition.saga("booking", 0, String.class, undoable("a")))
        .withMessage("saga 'booking' version 0: versions count from 1");
  }

  @Test
  void two_steps_of_one_name() {
    refused("two steps are called 'pay'", undoable("pay"), undoable("ship"), undoable("pay"));
  }

  @Test
  void two_steps_that_wait_for_one_signal() {
    refused(
        "two steps wait for the signal 'paid'",
        waiting("first").onSignal("paid", (data, signal) -> Outcome.done(data)),
        waiting("second").onSignal("paid", (data, signal) -> Outcome.done(data)));
  }

  @Test
  void a_step_before_the_pivot_that_cannot_be_undone() {
    var sentence =
        "step 'hold' comes before the pivot and cannot be undone: give it an undo, or mark it"
            + " harmless";
    refused(sentence, call("hold"), call("pay").pivot());
    refused(sentence, call("hold")); // no pivot at all: everything can be undone, or nothing can
    refused(sentence, call("hold").optional(), call("pay").pivot());
  }

  @Test
  void a_step_after_the_pivot_that_cannot_be_retried() {
    refused(
        "step 'ship' comes after the pivot and cannot be retried: it must succeed in the end",
        call("pay").pivot(),
        call("ship").retry(RetryPolicy.once()));
  }

  @Test
  void a_step_after_the_pivot_with_an_undo() {
    refused(
        "step 'ship' comes after the pivot: its undo would never be called",
        call("pay").pivot(),
        undoable("ship"));
  }

  @Test
  void a_step_after_the_pivot_that_would_be_undone_on_give_up() {
    var sentence = "step 'ship' comes after the pivot and cannot be undone on give-up";
    refused(sentence, call("pay").pivot(), call("ship").ifStillUnclear(GiveUp.undo(ofHours(1))));
    refused(sentence, call("pay").pivot(), waiting("ship")); // the default of a waiting step
  }

  @Test
  void two_pivots() {
    refused(
        "it has two pivots: there is one point of no return",
        call("pay").pivot(),
        call("ship").pivot());
  }

  @Test
  void a_pivot_that_is_optional() {
    refused(
        "step 'pay' is the pivot and optional: what would be the point of no return?",
        call("pay").pivot().optional());
  }

  @Test
  void a_pivot_that_would_be_undone_in_doubt() {
    refused(
        "step 'pay' is the pivot and would be undone in doubt: a pivot in doubt is held for a"
            + " person",
        call("pay").pivot().ifStillUnclear(GiveUp.undo(ofHours(1))));
  }

  @Test
  void a_wait_for_nothing() {
    refused("step 'job' waits for nothing: give it a signal or a probe", Step.waitFor("job"));
  }

  @Test
  void a_key_that_every_saga_would_share() {
    var sentence = "the key of step 'pay' must contain {id}, or every saga would share it";
    refused(sentence, undoable("pay").key("charge"));
    refused(sentence, undoable("pay").undoKey("refund"));
  }

  @Test
  void a_timeout_of_nothing() {
    var sentence = "the timeout of step 'pay' must be longer than nothing";
    refused(sentence, undoable("pay").timeout(ZERO));
    refused(sentence, undoable("pay").timeout(ofSeconds(-1)));
    refused(sentence, undoable("pay").undoTimeout(ZERO));
  }

  @Test
  void a_step_name_that_no_store_should_hold() {
    refused("a step's name has 1 to 60 characters", undoable(" "));
    refused("a step's name has 1 to 60 characters", undoable("x".repeat(61)));
    refused(
        "the name of step 'pay now' may hold visible ASCII characters only", undoable("pay now"));
    refused("the name of step 'zahlé' may hold visible ASCII characters only", undoable("zahlé"));
  }

  @Test
  void what_is_right_is_not_refused() {
    assertThatCode(
            () ->
                saga(
                    undoable("hold"),
                    call("look").harmless(),
                    waiting("job"),
                    call("pay").pivot(),
                    call("ship"),
                    call("clear-cart").optional().retry(RetryPolicy.once()),
                    waiting("arrived").ifStillUnclear(GiveUp.hold(ofHours(1)))))
        .doesNotThrowAnyException();
  }
}
