package dev.tuntas.engine;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// History as the text of a row: `#`, then entries separated by `;`. An entry is a verb and its
/// fields, separated by blanks, as in `#ok charge;sent commit-stock 1 commit-7`. Blanks, `;`, `%`
/// and controls inside a field are escaped, so that no text from outside can look like an entry.
///
/// Text without the `#` is the English of earlier builds: see [LegacyHistory].
final class HistoryCodec {

  private static final char MARK = '#';

  /// A field from outside is cut to this, so that a line keeps all its entries.
  private static final int FIELD_MAX = 400;

  /// However many entries a line has, it stays a page. Those that programs read are kept.
  private static final int LINE_MAX = 4_000;

  private static final char[] HEX = "0123456789abcdef".toCharArray();
  private static final String CUT = ";remark ...";

  private HistoryCodec() {}

  static String encode(List<HistoryEntry> entries) {
    var text = text(entries, Integer.MAX_VALUE);
    if (text.length() <= LINE_MAX) return text;
    var ofPrograms = entries.stream().filter(entry -> !isForPeople(entry)).toList();
    return text(ofPrograms, LINE_MAX) + CUT;
  }

  private static boolean isForPeople(HistoryEntry entry) {
    return entry instanceof Remark || entry instanceof Signalled || entry instanceof Noted;
  }

  /// Whole entries only.
  private static String text(List<HistoryEntry> entries, int most) {
    var text = new StringBuilder(64).append(MARK);
    for (var entry : entries) {
      int whole = text.length();
      if (whole > 1) text.append(';');
      write(entry, text);
      if (text.length() <= most) continue;
      text.setLength(whole);
      break;
    }
    return text.toString();
  }

  private static void write(HistoryEntry entry, StringBuilder to) {
    switch (entry) {
      case Accepted _ -> to.append("accepted");
      case Waiting(var step) -> line(to, "waiting", step);
      case Sent(var step, int attempt, var key) ->
          line(to, "sent", step, Integer.toString(attempt), key);
      case Answered answered -> write(answered, to);
      case AnswerLost(var step) -> line(to, "lost", step);
      case TimedOut(var step) -> line(to, "timed-out", step);
      case Skipped(var step, boolean certain) ->
          line(to, "skipped", step, certain ? "certain" : "in-doubt");
      case TurnedBack(var step, var code) -> line(to, "back", code, step == null ? "" : step);
      case Undoing(var step, var key) -> line(to, "undoing", step, key);
      case LeftUndone(var step) -> line(to, "left-undone", step);
      case Signalled(var name, var source, var externalId) ->
          line(to, "signal", name, source, externalId);
      case SettledBySignal(var step, var result, var code) ->
          line(to, "settled", step, word(result), code);
      case Noted(var fact, var value) -> line(to, "noted", fact, value);
      case Ruled ruled -> write(ruled, to);
      case Held(var code, var detail) -> line(to, "held", code, detail);
      case TakenOver _ -> to.append("taken-over");
      case Ended(var status) -> to.append(status == Status.DONE ? "done" : "undone");
      case Remark(var text) -> line(to, "remark", text);
    }
  }

  private static void write(Answered answered, StringBuilder to) {
    switch (answered.direction()) {
      case DO -> {}
      case ASK -> to.append("ask-");
      case UNDO -> to.append("undo-");
    }
    var verb = word(answered.result());
    switch (answered.result()) {
      case SUCCEEDED -> line(to, verb, answered.step());
      case FAILED -> line(to, verb, answered.step(), answered.code(), answered.detail());
      case UNCLEAR, PENDING -> line(to, verb, answered.step(), answered.detail());
    }
  }

  private static void write(Ruled ruled, StringBuilder to) {
    var ruling = ruled.ruling();
    line(
        to,
        ruled.undoing() ? "ruled-undo" : "ruled",
        ruled.step() == null ? "" : ruled.step(),
        ruling.kind().name().toLowerCase(Locale.ROOT),
        Long.toString(ruling.seenVersion()),
        ruling.actor(),
        ruling.reason(),
        ruling.evidence(),
        ruled.refusal() == null ? "" : ruled.refusal());
  }

  private static String word(Result result) {
    return switch (result) {
      case SUCCEEDED -> "ok";
      case FAILED -> "failed";
      case UNCLEAR -> "unclear";
      case PENDING -> "pending";
    };
  }

  private static void line(StringBuilder to, String verb, String... fields) {
    to.append(verb);
    for (var field : fields) escape(field, to.append(' '));
  }

  private static void escape(String field, StringBuilder to) {
    var text = Text.cut(field, FIELD_MAX);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c == '%' || c == ';' || c == 127 || Character.isSurrogate(c)) {
        to.append('%').append(HEX[c >> 12 & 15]).append(HEX[c >> 8 & 15]);
        to.append(HEX[c >> 4 & 15]).append(HEX[c & 15]);
      } else {
        to.append(c);
      }
    }
  }

  /// Whether an earlier build wrote it.
  static boolean isEnglish(String text) {
    return text.isEmpty() || text.charAt(0) != MARK;
  }

  /// A text that this program cannot read becomes a remark: history is shown, whoever wrote it.
  static List<HistoryEntry> decode(String text) {
    if (isEnglish(text)) return LegacyHistory.read(text);
    var entries = new ArrayList<HistoryEntry>(4);
    for (var line : text.substring(1).split(";")) entries.add(read(line));
    return entries;
  }

  private static HistoryEntry read(String line) {
    try {
      var known = read(new Fields(line.split(" ", -1)));
      if (known != null) return known;
    } catch (RuntimeException _) {
      // shown as it is
    }
    return new Remark(line);
  }

  /// Null if a later program wrote it.
  private static @Nullable HistoryEntry read(Fields fields) {
    return switch (fields.verb()) {
      case "accepted" -> new Accepted();
      case "waiting" -> new Waiting(fields.next());
      case "sent" -> new Sent(fields.next(), Integer.parseInt(fields.next()), fields.next());
      case "ok", "failed", "unclear", "pending" -> answered(Direction.DO, fields.verb(), fields);
      case "ask-ok", "ask-failed", "ask-unclear", "ask-pending" ->
          answered(Direction.ASK, fields.verb().substring("ask-".length()), fields);
      case "undo-ok", "undo-failed", "undo-unclear", "undo-pending" ->
          answered(Direction.UNDO, fields.verb().substring("undo-".length()), fields);
      case "lost" -> new AnswerLost(fields.next());
      case "timed-out" -> new TimedOut(fields.next());
      case "skipped" -> new Skipped(fields.next(), fields.next().equals("certain"));
      case "back" -> turnedBack(fields);
      case "undoing" -> new Undoing(fields.next(), fields.next());
      case "left-undone" -> new LeftUndone(fields.next());
      case "signal" -> new Signalled(fields.next(), fields.next(), fields.next());
      case "settled" -> new SettledBySignal(fields.next(), result(fields.next()), fields.next());
      case "noted" -> new Noted(fields.next(), fields.next());
      case "ruled" -> ruled(fields, false);
      case "ruled-undo" -> ruled(fields, true);
      case "held" -> new Held(fields.next(), fields.next());
      case "taken-over" -> new TakenOver();
      case "done" -> new Ended(Status.DONE);
      case "undone" -> new Ended(Status.UNDONE);
      case "remark" -> new Remark(fields.next());
      default -> null;
    };
  }

  private static Answered answered(Direction direction, String word, Fields fields) {
    var result = result(word);
    var step = fields.next();
    var code = result == Result.FAILED ? fields.next() : "";
    return new Answered(
        direction, step, result, code, result == Result.SUCCEEDED ? "" : fields.next());
  }

  private static TurnedBack turnedBack(Fields fields) {
    var code = fields.next();
    return new TurnedBack(fields.nextOrNull(), code);
  }

  private static Ruled ruled(Fields fields, boolean undoing) {
    var step = fields.nextOrNull();
    var kind = Ruling.Kind.valueOf(fields.next().toUpperCase(Locale.ROOT));
    long seen = Long.parseLong(fields.next());
    var ruling = new Ruling(kind, fields.next(), fields.next(), fields.next(), seen);
    return new Ruled(ruling, step, undoing, fields.nextOrNull());
  }

  private static Result result(String word) {
    for (var result : Result.values()) if (word(result).equals(word)) return result;
    throw new IllegalArgumentException(word);
  }

  /// The fields of one entry, in their order.
  private static final class Fields {

    private final String[] parts;
    private int at = 1;

    Fields(String[] parts) {
      this.parts = parts;
    }

    String verb() {
      return parts[0];
    }

    String next() {
      return Tokens.unescape(parts[at++]);
    }

    @Nullable String nextOrNull() {
      var field = next();
      return field.isEmpty() ? null : field;
    }
  }
}
