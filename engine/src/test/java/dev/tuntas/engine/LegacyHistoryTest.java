package dev.tuntas.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.HistoryEntry.AnswerLost;
import dev.tuntas.engine.HistoryEntry.Answered;
import dev.tuntas.engine.HistoryEntry.Remark;
import dev.tuntas.engine.HistoryEntry.Result;
import dev.tuntas.engine.HistoryEntry.Ruled;
import dev.tuntas.engine.HistoryEntry.Sent;
import dev.tuntas.engine.HistoryEntry.Skipped;
import dev.tuntas.engine.HistoryEntry.TimedOut;
import dev.tuntas.engine.Next.Direction;
import org.junit.jupiter.api.Test;

class LegacyHistoryTest {

  @Test
  void sentences_about_steps_are_read() {
    assertThat(LegacyHistory.read("accepted; sent pay now #2, key pay/1"))
        .containsExactly(new Remark("accepted"), new Sent("pay now", 2, "pay/1"));
    assertThat(LegacyHistory.read("pay failed: NO (not; today (sorry)); turning back: NO"))
        .containsExactly(
            new Answered(Direction.DO, "pay", Result.FAILED, "NO", "not; today (sorry)"),
            new Remark("turning back: NO"));
    assertThat(LegacyHistory.read("asked about pay: unclear: no answer; held for a person: X"))
        .containsExactly(
            new Answered(Direction.ASK, "pay", Result.UNCLEAR, "", "no answer"),
            new Remark("held for a person: X"));
    assertThat(LegacyHistory.read("undo of pay succeeded; undone"))
        .containsExactly(
            new Answered(Direction.UNDO, "pay", Result.SUCCEEDED, "", ""), new Remark("undone"));
    assertThat(LegacyHistory.read("taken over; pay is unclear: its worker died"))
        .containsExactly(new Remark("taken over"), new AnswerLost("pay"));
    assertThat(LegacyHistory.read("pay ran out of time; going on without knowing about pay"))
        .containsExactly(new TimedOut("pay"), new Skipped("pay", false));
  }

  @Test
  void the_detail_of_a_failure_is_no_sentence() {
    var line = "charge failed: payment_declined (Declined; charge succeeded; bye)";

    assertThat(LegacyHistory.read(line))
        .containsExactly(
            new Answered(
                Direction.DO,
                "charge",
                Result.FAILED,
                "payment_declined",
                "Declined; charge succeeded; bye"));
  }

  @Test
  void a_ruling_says_whether_it_was_heeded() {
    assertThat(LegacyHistory.read("ana ruled 'happened': seen [mail 7]"))
        .singleElement()
        .isInstanceOfSatisfying(Ruled.class, it -> assertThat(it.refusal()).isNull());
    assertThat(
            LegacyHistory.read("ana ruled 'happened': seen; refused: it has moved on; look again"))
        .singleElement()
        .isInstanceOfSatisfying(Ruled.class, it -> assertThat(it.refusal()).isNotNull());
  }
}
