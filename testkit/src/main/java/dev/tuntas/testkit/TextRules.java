package dev.tuntas.testkit;

import static dev.tuntas.testkit.Entries.DEADLINE;
import static dev.tuntas.testkit.Entries.LATER;
import static dev.tuntas.testkit.Entries.START;
import static dev.tuntas.testkit.Entries.running;
import static dev.tuntas.testkit.Entries.withData;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.HistoryLine;
import dev.tuntas.engine.InboxItem;
import dev.tuntas.engine.Outbox.Entry;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.SagaStore.Put;
import dev.tuntas.engine.SagaStore.Shape;
import dev.tuntas.engine.SagaStore.Unknown;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write.Applied;
import dev.tuntas.engine.Write.Insert;
import dev.tuntas.engine.Write.Move;
import dev.tuntas.saga.Notice;
import dev.tuntas.saga.Signal;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Text comes back as it went in, whatever it is.
interface TextRules extends StoreUnderTest {

  /// What is known to break drivers, quoting, arrays, JSON and collations.
  List<String> AWKWARD =
      List.of(
          "it's \"quoted\" `three` ways",
          "'; drop table saga; --",
          "back\\slash \\n \\u0041 {a,b} (c) ? :p $1 %s %",
          "line\nline\r\nline\ttab",
          "NULL",
          "{\"json\": [1, null, \"\\\"\"]}",
          "Zoë Ångström, Łódź, ß, ﬁ, e\u0301",
          "日本語 العربية עברית ไทย",
          "😀 👩‍👩‍👧‍👦 🇮🇩 𝒳",
          "\u200b\u202e\ufeff\u00a0 end ",
          " leading and trailing ",
          "a/b/c?d=e&f=g#h");

  @Test
  default void awkward_text_of_a_saga_comes_back() {
    for (var text : AWKWARD) {
      writeAll(
          alice(),
          new Insert(
              text,
              kind(),
              Status.RUNNING,
              0,
              null,
              DEADLINE,
              text,
              text,
              text,
              List.of(new Notice(text, text)),
              START));

      assertThat(row(text))
          .extracting(SagaRow::id, SagaRow::progress, SagaRow::data)
          .containsOnly(text);
      assertThat(store().history(text)).extracting(HistoryLine::what).containsExactly(text);
    }
    assertThat(outbox().next(LATER, ALL)).extracting(Entry::sagaId).isEqualTo(AWKWARD);
    assertThat(outbox().next(LATER, ALL)).extracting(Entry::type).isEqualTo(AWKWARD);
    assertThat(outbox().next(LATER, ALL)).extracting(Entry::body).isEqualTo(AWKWARD);
  }

  @Test
  default void awkward_text_of_many_sagas_in_one_batch_comes_back() {
    var inserts = AWKWARD.stream().map(text -> running(text, kind())).toList();
    store().commit(alice(), List.copyOf(inserts));
    var moves = AWKWARD.stream().map(text -> withData(Entries.runs(text, 1), text + text)).toList();

    assertThat(store().commit(alice(), List.copyOf(moves)).cardinality()).isEqualTo(AWKWARD.size());
    for (var text : AWKWARD) assertThat(row(text).data()).isEqualTo(text + text);
  }

  @Test
  default void awkward_text_of_a_signal_comes_back() {
    for (var text : AWKWARD) {
      writeAll(alice(), running(text, kind()));
      var signal = new Signal(text, text, text, text);
      assertThat(store().put(text, signal, START)).isEqualTo(Put.NEW);
      assertThat(store().put(text, signal, START)).isEqualTo(Put.KNOWN);

      var item = store().pending(alice(), ALL).getFirst();
      assertThat(item).isEqualTo(new InboxItem(item.pos(), text, signal));
      writeAll(alice(), Entries.settling(Entries.runs(text, 1), new Applied(item.pos(), text)));
      assertThat(store().verdict(text, text)).contains(text);
    }
  }

  @Test
  default void awkward_names_and_errors_come_back() {
    for (var text : AWKWARD) {
      var shape = new Shape(text, 1, text);
      int number = store().register(List.of(shape)).getOrDefault(shape, -1);
      writeAll(alice(), running(text, number, new Notice("news", text)));
      assertThat(store().unknown(Set.of(kind()))).contains(new Unknown(text, 1, 1));
      assertThat(store().lanes(List.of(text))).isEqualTo(store().lanes(List.of(text)));
      assertThat(store().join(text)).isPositive();

      var pos = outbox().next(LATER, 1).getFirst().pos();
      outbox().failed(pos, text, START);
      outbox().bury(pos, text);
      assertThat(outbox().deadLetters(1).getFirst().error()).isEqualTo(text);
      outbox().discard(pos);
    }
  }

  @Test
  default void an_id_may_have_200_characters() {
    var one = "i".repeat(199) + "1";
    var two = "i".repeat(199) + "2";
    writeAll(alice(), running(one, kind()), running(two, kind()));

    assertThat(row(one).id()).isEqualTo(one);
    assertThat(row(two).id()).isEqualTo(two);
    assertThat(store().find("i".repeat(199))).isEmpty();
    assertThat(store().put(one, new Signal("bank", one, one, "x"), START)).isEqualTo(Put.NEW);
    assertThat(store().put(one, new Signal("bank", two, one, "x"), START)).isEqualTo(Put.NEW);
  }

  @Test
  default void text_may_be_empty_or_large() {
    var large = "0123456789abc€".repeat(2 * 1024); // 32 KB of UTF-8
    writeAll(alice(), running("s", kind()));
    var notices = List.of(new Notice("large", large), new Notice("empty", ""));
    writeAll(
        alice(),
        new Move(
            "s", 1, Status.RUNNING, 0, null, null, large, large, large, notices, List.of(), START));
    store().put("s", new Signal("bank", "large", "paid", large), START);
    store().put("s", new Signal("bank", "empty", "paid", ""), START);

    assertThat(row("s").data()).isEqualTo(large);
    assertThat(row("s").progress()).isEqualTo(large);
    assertThat(store().history("s").getLast().text()).isEqualTo(large);
    assertThat(outbox().next(LATER, ALL)).extracting(Entry::body).containsExactly(large, "");
    assertThat(store().pending(alice(), ALL))
        .extracting(item -> item.signal().body())
        .containsExactly(large, "");
  }
}
