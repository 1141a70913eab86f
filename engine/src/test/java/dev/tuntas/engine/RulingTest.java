package dev.tuntas.engine;

import static dev.tuntas.engine.Steps.undoable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Ruling.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RulingTest {

  @ParameterizedTest
  @EnumSource
  void it_travels_through_the_inbox_unchanged(Kind kind) {
    var ruling = new Ruling(kind, "ana=b; %41", "because\nof \uD83D\uDE00 \uD800", "", 12);
    var signal = ruling.asSignal("ruling-1");
    assertThat(Ruling.isOne(signal)).isTrue();
    assertThat(Ruling.read(signal)).isEqualTo(ruling);
  }

  @Test
  void it_is_told_as_a_sentence() {
    assertThat(new Ruling(Kind.DID_NOT_HAPPEN, "ana", "bank says so", "mail 7", 3).sentence())
        .isEqualTo("ana ruled 'did not happen': bank says so [mail 7]");
    assertThat(Ruling.cancel("ana", "wrong room").sentence())
        .isEqualTo("ana ruled 'cancel': wrong room");
  }

  @Test
  void somebody_must_answer_for_it_and_say_why() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ruling.cancel(" ", "reason"))
        .withMessage("a ruling needs an actor");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ruling.retry("ana", ""))
        .withMessage("a ruling needs a reason");
  }

  @ParameterizedTest
  @EnumSource
  void who_states_a_fact_must_have_looked(Kind kind) {
    if (!kind.needsVersion()) {
      assertThat(new Ruling(kind, "ana", "why", "", -1).seenVersion()).isEqualTo(-1);
      return;
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Ruling(kind, "ana", "why", "", -1))
        .withMessage("this ruling needs the version of the saga it is about");
  }

  @ParameterizedTest
  @EnumSource(names = {"HAPPENED", "DID_NOT_HAPPEN", "GIVE_UP", "SKIP"})
  void what_was_true_of_an_older_version_is_refused(Kind kind) {
    var story = Story.of(undoable("look").optional(), undoable("pay")).ruledHavingSeen(6, kind);
    assertThat(story.verdict()).isEqualTo("refused: it has moved on since version 6; look again");
    assertThat(story.what()).endsWith(story.verdict());
    assertThat(story.make().call().step()).isEqualTo("look");
  }

  @ParameterizedTest
  @EnumSource(names = {"CANCEL", "RETRY"})
  void what_is_wanted_does_not_depend_on_the_version(Kind kind) {
    var story = Story.of(undoable("hold"), undoable("pay")).succeeds().ruledHavingSeen(1, kind);
    assertThat(story.verdict()).isEqualTo("applied");
    if (kind == Kind.CANCEL) assertThat(story.progress()).isInstanceOf(Undoing.class);
  }
}
