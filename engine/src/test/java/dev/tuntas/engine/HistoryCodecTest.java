package dev.tuntas.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.HistoryEntry.Accepted;
import dev.tuntas.engine.HistoryEntry.AnswerLost;
import dev.tuntas.engine.HistoryEntry.Answered;
import dev.tuntas.engine.HistoryEntry.Ended;
import dev.tuntas.engine.HistoryEntry.Held;
import dev.tuntas.engine.HistoryEntry.LeftUndone;
import dev.tuntas.engine.HistoryEntry.Noted;
import dev.tuntas.engine.HistoryEntry.Remark;
import dev.tuntas.engine.HistoryEntry.Result;
import dev.tuntas.engine.HistoryEntry.Ruled;
import dev.tuntas.engine.HistoryEntry.Sent;
import dev.tuntas.engine.HistoryEntry.SettledBySignal;
import dev.tuntas.engine.HistoryEntry.Signalled;
import dev.tuntas.engine.HistoryEntry.Skipped;
import dev.tuntas.engine.HistoryEntry.TakenOver;
import dev.tuntas.engine.HistoryEntry.TimedOut;
import dev.tuntas.engine.HistoryEntry.TurnedBack;
import dev.tuntas.engine.HistoryEntry.Undoing;
import dev.tuntas.engine.HistoryEntry.Waiting;
import dev.tuntas.engine.Next.Direction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryCodecTest {

  private static final String NASTY = "no; pay succeeded;ok pay %003b#\n\t\u0000 = \uD83D\uDE00 é";

  /// One of each, with text that tries to look like other entries.
  static List<HistoryEntry> entries() {
    var all = new ArrayList<HistoryEntry>();
    for (var text : List.of("pay", "", " ", NASTY)) {
      var ruling = new Ruling(Ruling.Kind.HAPPENED, "ana " + text, "why " + text, text, 7);
      all.add(new Waiting(text));
      all.add(new Sent(text, 3, text));
      for (var direction : Direction.values()) {
        all.add(new Answered(direction, text, Result.SUCCEEDED, "", ""));
        all.add(new Answered(direction, text, Result.FAILED, text, text));
        all.add(new Answered(direction, text, Result.UNCLEAR, "", text));
        all.add(new Answered(direction, text, Result.PENDING, "", text));
      }
      all.add(new AnswerLost(text));
      all.add(new TimedOut(text));
      all.add(new Skipped(text, true));
      all.add(new Skipped(text, false));
      all.add(new TurnedBack(null, text));
      all.add(new TurnedBack("pay" + text, text));
      all.add(new Undoing(text, text));
      all.add(new LeftUndone(text));
      all.add(new Signalled(text, text, text));
      all.add(new SettledBySignal(text, Result.FAILED, text));
      all.add(new Noted(text, text));
      all.add(new Ruled(ruling, null, false, null));
      all.add(new Ruled(ruling, "pay" + text, true, "refused: " + text));
      all.add(new Held(text, text));
      all.add(new Remark(text));
    }
    all.add(new Accepted());
    all.add(new TakenOver());
    all.add(new Ended(Status.DONE));
    all.add(new Ended(Status.UNDONE));
    return all;
  }

  @ParameterizedTest
  @MethodSource("entries")
  void an_entry_is_read_as_it_was_written(HistoryEntry entry) {
    List<HistoryEntry> line = List.of(new Accepted(), entry, new TakenOver());

    assertThat(HistoryCodec.decode(HistoryCodec.encode(line))).isEqualTo(line);
  }

  @Test
  void every_kind_of_entry_is_tried() {
    var tried = entries().stream().map(Object::getClass).distinct().toList();

    assertThat(tried)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.asList(HistoryEntry.class.getPermittedSubclasses()));
  }

  @Test
  void a_line_can_be_read_by_a_person_too() {
    List<HistoryEntry> line =
        List.of(
            new Answered(Direction.DO, "charge", Result.SUCCEEDED, "", ""),
            new Sent("commit-stock", 1, "commit-7"));

    assertThat(HistoryCodec.encode(line)).isEqualTo("#ok charge;sent commit-stock 1 commit-7");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "#;x",
        "#sent pay",
        "#sent pay x key",
        "#from-a-later-build 1 2",
        "#ok",
        "#remark %00",
        "#ruled pay nonsense 1 a b c d",
        "#settled pay maybe x",
        "#remark %zzzz"
      })
  void what_cannot_be_read_is_a_remark(String text) {
    assertThat(HistoryCodec.decode(text)).isNotEmpty().allMatch(Remark.class::isInstance);
  }

  @Test
  void a_long_line_keeps_whole_entries_and_those_about_steps() {
    var line = new ArrayList<HistoryEntry>();
    line.add(new Answered(Direction.DO, "pay", Result.FAILED, "NO", "x".repeat(10_000)));
    for (int i = 0; i < 100; i++) line.add(new Signalled("job", "partner", "y".repeat(300) + i));
    line.add(new Sent("ship", 1, "key"));

    var text = HistoryCodec.encode(line);

    assertThat(text).hasSizeLessThan(4_100);
    assertThat(HistoryCodec.decode(text))
        .hasSize(3)
        .contains(new Sent("ship", 1, "key"), new Remark("..."));
  }

  @Test
  void it_never_grows_beyond_a_page() {
    var line = new ArrayList<HistoryEntry>();
    for (int i = 0; i < 1_000; i++) line.add(new Sent("ship", i, NASTY.repeat(50)));

    var text = HistoryCodec.encode(line);

    assertThat(text).hasSizeLessThan(4_100);
    var kept = HistoryCodec.decode(text);
    assertThat(kept.getLast()).isEqualTo(new Remark("..."));
    assertThat(kept.subList(0, kept.size() - 1)).isNotEmpty().allMatch(Sent.class::isInstance);
  }

  @Test
  void english_of_earlier_builds_is_shown_as_it_is() {
    var line = new HistoryLine("o", 3, Instant.EPOCH, 1, "charge succeeded; sent ship, key s-o");

    assertThat(line.what()).isEqualTo("charge succeeded; sent ship, key s-o");
    assertThat(line.entries())
        .containsExactly(
            new Answered(Direction.DO, "charge", Result.SUCCEEDED, "", ""),
            new Sent("ship", 1, "s-o"));
  }
}
