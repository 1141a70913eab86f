package dev.tuntas.saga;

import static dev.tuntas.saga.Sample.saga;
import static dev.tuntas.saga.Sample.undoable;
import static dev.tuntas.saga.Sample.waiting;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// The shape hash finds a definition that was edited under an old version.
class ShapeTest {

  private static final Step<String> PAY = undoable("pay");
  private static final String HASH = saga(PAY, undoable("ship")).shapeHash();

  private static String hashWith(UnaryOperator<Step<String>> change) {
    return saga(change.apply(PAY), undoable("ship")).shapeHash();
  }

  @Test
  void the_same_story_has_the_same_hash() {
    assertThat(saga(undoable("pay"), undoable("ship")).shapeHash())
        .isEqualTo(HASH)
        .matches("[0-9a-f]{32}");
  }

  @Test
  void times_counts_and_announcements_may_change_under_one_version() {
    List<UnaryOperator<Step<String>>> changes =
        List.of(
            step -> step.timeout(ofSeconds(3)),
            step -> step.undoTimeout(ofSeconds(3)),
            step -> step.deadline(ofHours(3)),
            step -> step.retry(RetryPolicy.once()),
            step -> step.retryUndo(RetryPolicy.once()),
            step -> step.ifUnclearRepeat(AskPolicy.firstAfter(ofSeconds(9))),
            step -> step.ifStillUnclear(GiveUp.hold(ofHours(3))));
    for (var change : changes) assertThat(hashWith(change)).isEqualTo(HASH);
    assertThat(
            saga(PAY, undoable("ship"))
                .deadline(ofHours(1))
                .announce(moment -> List.of())
                .onLateSignal((signal, context) -> new Late.Ignore<>())
                .shapeHash())
        .isEqualTo(HASH);
  }

  @Test
  void whatever_changes_the_story_changes_the_hash() {
    List<UnaryOperator<Step<String>>> changes =
        List.of(
            step -> undoable("charge").key("{id}/pay/do").undoKey("{id}/pay/undo"),
            step -> Sample.call("pay").harmless(),
            step -> step.harmless(),
            step -> step.ifUnclearAsk((data, call) -> Outcome.done(data)),
            step -> step.unrepeatable(),
            step -> step.optional(),
            step -> step.onSignal("paid", (data, signal) -> Outcome.done(data)),
            step -> step.onSignal("settled", (data, signal) -> Outcome.done(data)),
            step -> step.ifStillUnclear(GiveUp.undo(ofHours(24))),
            step -> step.lane("bank"),
            step -> step.key("charge-{id}"),
            step -> step.undoKey("refund-{id}"),
            step -> waiting("pay"));
    var hashes = changes.stream().map(ShapeTest::hashWith).toList();
    assertThat(hashes).doesNotContain(HASH).doesNotHaveDuplicates();
    assertThat(saga(undoable("ship"), PAY).shapeHash()).isNotEqualTo(HASH);
    assertThat(saga(PAY, undoable("ship"), undoable("mail")).shapeHash()).isNotEqualTo(HASH);
    assertThat(saga(PAY, Sample.call("ship").pivot()).shapeHash()).isNotEqualTo(HASH);
  }

  @Test
  void a_step_is_found_by_its_name_and_by_its_signal() {
    var saga = saga(undoable("pay"), waiting("job"));
    assertThat(saga.indexOf("job")).isEqualTo(1);
    assertThat(saga.indexOfSignal("job")).isEqualTo(1);
    assertThat(saga.indexOfSignal("other")).isEqualTo(-1);
    assertThatIllegalStateException()
        .isThrownBy(() -> saga.indexOf("gone"))
        .withMessage("saga 'booking' version 1 has no step 'gone'");
  }
}
