package dev.tuntas.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.Progress.Done;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Ready;
import dev.tuntas.engine.Progress.Sent;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Progress.Undone;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ProgressCodecTest {

  private static final Instant AT = Story.START.plusMillis(7);
  private static final String AWKWARD = "a=b; c%d \0\n\"\uD83D\uDE00\uD800";
  private static final Trail TRAIL = Trail.from(Story.START);

  static final List<Failure> FAILURES =
      List.of(
          new Failure.Declined("", ""),
          new Failure.Declined(AWKWARD, AWKWARD),
          new Failure.Unavailable("AWAY", "gone", null),
          new Failure.Unavailable("AWAY", "gone", Duration.ofMillis(1_500)),
          new Failure.Unavailable("AWAY", "gone", null, true),
          new Failure.Absent("NOT_FOUND", "x"),
          new Failure.Expired("DEADLINE", "x"),
          new Failure.Cancelled("CANCELLED", "ana: " + AWKWARD),
          new Failure.Broken("BUG", "x"));

  static final List<Progress> PROGRESSES =
      List.of(
          new Ready("pay", 1, AT),
          new Sent("pay", 2, AT),
          new Asking("pay", 3, 4, AT, AT.plusSeconds(9)),
          new Asking("pay", 3, 0, null, AT),
          new Undoing("pay", 1, AT, null),
          new Undoing("pay", 1, AT, ""),
          new Undoing("pay", Integer.MAX_VALUE, AT, AWKWARD),
          new Held(new Undoing("pay", 3, AT, AWKWARD), FAILURES.get(1)),
          new Held(new Asking("pay", 1, 0, null, AT), FAILURES.get(2)),
          new Done(),
          new Undone());

  private static void survives(Progress progress, Trail trail) {
    assertThat(ProgressCodec.decode(ProgressCodec.encode(progress, trail)))
        .isEqualTo(new ProgressCodec.Line(progress, trail));
  }

  @ParameterizedTest
  @FieldSource("PROGRESSES")
  void every_progress_survives(Progress progress) {
    survives(progress, TRAIL);
  }

  @ParameterizedTest
  @FieldSource("FAILURES")
  void every_failure_survives_wherever_it_stands(Failure failure) {
    survives(
        new Held(new Ready("pay", 1, AT), failure), TRAIL.cancel(failure).turned(failure, "pay"));
    survives(new Undone(), TRAIL.turned(failure, null));
  }

  @Test
  void everything_that_a_saga_remembers_survives() {
    var trail =
        TRAIL
            .entered(AT)
            .withFailure(AT.plusSeconds(3))
            .withDoubt(AT.plusSeconds(4))
            .withEnd()
            .skipping("look")
            .skipping("clear-cart")
            .mailPlus(new Signal("partner", "1", "paid", ""))
            .mailPlus(new Signal(AWKWARD, AWKWARD, AWKWARD, AWKWARD))
            .mailPlus(new Signal("a;b", "c=d", "e f", ";;;"))
            .unheardPlus(new Signal("partner", "2", "paid", "yes"))
            .unheardPlus(new Signal(AWKWARD, AWKWARD, AWKWARD, AWKWARD))
            .lateUndos(List.of(new Trail.LateUndo("job", AWKWARD), new Trail.LateUndo("pay", ";")));
    survives(new Sent("pay", 1, AT), trail);
  }

  @Test
  void what_an_older_program_wrote_of_a_doubt_counts_from_the_beginning_of_its_step() {
    var line = ProgressCodec.encode(new Sent("pay", 1, AT), TRAIL.entered(AT));
    assertThat(ProgressCodec.decode(line + " doubted=1 step_doubted=1"))
        .isEqualTo(new ProgressCodec.Line(new Sent("pay", 1, AT), TRAIL.entered(AT).withDoubt(AT)));
  }

  @Test
  void a_person_can_read_it() {
    assertThat(ProgressCodec.encode(new Sent("pay", 1, AT), TRAIL))
        .startsWith("at=sent step=pay n=1 time=" + AT.toEpochMilli() + " accepted=");
  }

  @Test
  void what_a_newer_program_added_is_ignored() {
    var line = ProgressCodec.encode(new Ready("pay", 1, AT), TRAIL);
    assertThat(ProgressCodec.decode("mood=good " + line + " colour=blue%0020sky"))
        .isEqualTo(new ProgressCodec.Line(new Ready("pay", 1, AT), TRAIL));
  }

  @Test
  void what_cannot_be_read_is_refused_with_a_sentence() {
    var line = ProgressCodec.encode(new Ready("pay", 1, AT), TRAIL);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProgressCodec.decode(line.replace("at=ready", "at=flying")))
        .withMessage("no progress is called flying");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProgressCodec.decode(line.replace("step=pay ", "")))
        .withMessage("'step' is missing");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> ProgressCodec.decode(line + " cause=kind%003dodd%0020code%003d%0020detail%003d"))
        .withMessage("no failure is called odd");
  }
}
