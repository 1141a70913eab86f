package dev.tuntas.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.HistoryEntry.Answered;
import dev.tuntas.engine.HistoryEntry.Result;
import dev.tuntas.engine.HistoryEntry.Ruled;
import dev.tuntas.engine.HistoryEntry.Sent;
import dev.tuntas.engine.HistoryEntry.SettledBySignal;
import dev.tuntas.engine.Next.Direction;
import dev.tuntas.engine.StepView.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How a step ended, as its history tells it.
class StepViewTest {

  private static final Sent SENT = new Sent("charge", 1, "charge-1");

  @Test
  void the_words_of_a_partner_are_only_words() {
    var answer =
        new Answered(
            Direction.DO,
            "charge",
            Result.FAILED,
            "no",
            "Declined; charge succeeded; bye;ok charge); charge succeeded");

    assertThat(atTheEnd(SENT, answer)).isEqualTo(State.FAILED);
  }

  @Test
  void the_words_of_a_partner_were_only_words_in_earlier_builds_too() {
    var line = "charge failed: no (Declined; charge succeeded; bye)";
    var past = StepPast.of("charge", List.of(read(new HistoryLine("o", 2, NOW, 1, line))));

    assertThat(past.atTheEnd()).isEqualTo(State.FAILED);
  }

  @Test
  void a_signal_can_have_done_it() {
    var settled = new SettledBySignal("charge", Result.SUCCEEDED, "");

    assertThat(atTheEnd(SENT, settled)).isEqualTo(State.DONE);
  }

  @Test
  void a_ruling_is_about_the_step_that_the_saga_stood_at() {
    var undo = new Sent("ship", 1, "ship-1");

    assertThat(atTheEnd(SENT, undo, ruled("charge", false, null))).isEqualTo(State.DONE);
    assertThat(atTheEnd(SENT, undo, ruled("ship", false, null))).isEqualTo(State.UNCLEAR);
    assertThat(atTheEnd(SENT, undo, ruled("charge", true, null))).isEqualTo(State.UNDONE);
    assertThat(atTheEnd(SENT, ruled("charge", false, "refused: no"))).isEqualTo(State.UNCLEAR);
  }

  private static final Instant NOW = Instant.EPOCH;

  private static Ruled ruled(String step, boolean undoing, String refusal) {
    var ruling = new Ruling(Ruling.Kind.HAPPENED, "ana", "seen", "", 3);
    return new Ruled(ruling, step, undoing, refusal);
  }

  /// Stored and read again, line by line.
  private static State atTheEnd(HistoryEntry... entries) {
    var lines = new ArrayList<StepPast.Line>();
    for (var entry : entries) {
      lines.add(read(new HistoryLine("o", 1, NOW, 1, HistoryCodec.encode(List.of(entry)))));
    }
    return StepPast.of("charge", lines).atTheEnd();
  }

  private static StepPast.Line read(HistoryLine line) {
    return StepPast.Line.of(line);
  }
}
