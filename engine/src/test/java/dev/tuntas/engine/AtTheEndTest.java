package dev.tuntas.engine;

import static dev.tuntas.engine.Steps.DAY;
import static dev.tuntas.engine.Steps.answered;
import static dev.tuntas.engine.Steps.undoable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Progress.Done;
import dev.tuntas.engine.Progress.Undone;
import dev.tuntas.engine.Ruling.Kind;
import dev.tuntas.saga.Outcome;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// `Done` and `Undone`: nothing more happens by itself.
class AtTheEndTest {

  private static Story done() {
    return Story.of(answered(undoable("pay"))).succeeds();
  }

  private static Story undone() {
    return Story.of(answered(undoable("pay"))).declined();
  }

  @Test
  void it_rests_whatever_comes() {
    List<UnaryOperator<Story>> events =
        List.of(
            story -> story.pass(DAY).due(),
            story -> story.reports(Outcome.done("other")),
            Story::abandoned,
            Story::seized,
            story -> story.told("pay", "yes"),
            story -> story.told("pay", "no"));
    for (var event : events) {
      var done = event.apply(done());
      assertThat(done.progress()).isEqualTo(new Done());
      assertThat(done.data()).isEqualTo("data");
      assertThat(done.calls()).containsExactly("do pay");
      assertThat(event.apply(undone()).progress()).isEqualTo(new Undone());
    }
  }

  @ParameterizedTest
  @EnumSource
  void every_ruling_on_a_done_saga_is_refused_with_a_sentence(Kind kind) {
    var sentences =
        Map.of(
            Kind.CANCEL, "refused: it is done",
            Kind.RETRY, "refused: it has ended",
            Kind.HAPPENED, "refused: nothing is in doubt",
            Kind.DID_NOT_HAPPEN, "refused: nothing is in doubt",
            Kind.GIVE_UP, "refused: nothing is being tried",
            Kind.SKIP, "refused: only an optional step can be skipped");
    var story = done().ruled(kind);
    assertThat(story.verdict()).isEqualTo(sentences.get(kind));
    assertThat(story.progress()).isEqualTo(new Done());
    assertThat(story.what()).startsWith("ana ruled").endsWith(story.verdict());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CANCEL")
  void every_ruling_on_an_undone_saga_but_cancel_is_refused(Kind kind) {
    assertThat(undone().ruled(kind).verdict()).startsWith("refused: ");
  }

  @Test
  void cancel_of_an_undone_saga_is_what_happened() {
    assertThat(undone().ruled(Kind.CANCEL).verdict())
        .isEqualTo("applied: it is undone or being undone");
  }

  @Test
  void a_late_signal_is_reported_and_recorded() {
    var story = done().told("pay", "yes");
    assertThat(story.verdict()).isEqualTo("late");
    assertThat(story.what()).isEqualTo("signal pay (partner s-1)");
    assertThat(story.notices()).endsWith("done", "late_signal");
  }
}
