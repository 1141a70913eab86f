package dev.tuntas.engine;

import dev.tuntas.engine.HistoryEntry.Accepted;
import dev.tuntas.engine.HistoryEntry.AnswerLost;
import dev.tuntas.engine.HistoryEntry.Answered;
import dev.tuntas.engine.HistoryEntry.Ended;
import dev.tuntas.engine.HistoryEntry.Held;
import dev.tuntas.engine.HistoryEntry.LeftUndone;
import dev.tuntas.engine.HistoryEntry.Noted;
import dev.tuntas.engine.HistoryEntry.Remark;
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
import java.util.List;
import java.util.stream.Collectors;

/// History in English, for people. No program reads it.
final class HistoryText {

  private HistoryText() {}

  static String of(List<HistoryEntry> entries) {
    return entries.stream()
        .map(HistoryText::of)
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private static String of(HistoryEntry entry) {
    return switch (entry) {
      case Accepted _ -> "accepted";
      case Waiting(var step) -> "waiting for " + step;
      case Sent(var step, int attempt, var key) ->
          "sent " + step + (attempt > 1 ? " #" + attempt : "") + ", key " + key;
      case Answered answered -> of(answered);
      case AnswerLost(var step) -> step + " is unclear: its worker died";
      case TimedOut(var step) -> step + " ran out of time";
      case Skipped(var step, boolean certain) ->
          (certain ? "going on without " : "going on without knowing about ") + step;
      case TurnedBack(_, var code) -> "turning back: " + code;
      case Undoing(var step, var key) -> "undoing " + step + ", key " + key;
      case LeftUndone(var step) -> "the undo of " + step + " is left undone";
      case Signalled(var name, var source, var externalId) ->
          "signal " + name + " (" + source + " " + externalId + ")";
      case SettledBySignal _ -> ""; // the signal itself stands before it
      case Noted(var fact, var value) -> "noted " + fact + " " + value;
      case Ruled(var ruling, _, _, var refusal) ->
          ruling.sentence() + (refusal == null ? "" : "; " + refusal);
      case Held(var code, var detail) ->
          "held for a person: " + code + (detail.isEmpty() ? "" : " " + detail);
      case TakenOver _ -> "taken over";
      case Ended(var status) -> status == Status.DONE ? "done" : "undone";
      case Remark(var text) -> text;
    };
  }

  private static String of(Answered answered) {
    var about =
        switch (answered.direction()) {
          case DO -> answered.step() + " ";
          case ASK -> "asked about " + answered.step() + ": ";
          case UNDO -> "undo of " + answered.step() + " ";
        };
    var word =
        switch (answered.result()) {
          case SUCCEEDED -> "succeeded";
          case FAILED -> "failed: " + answered.code() + " (" + answered.detail() + ")";
          case UNCLEAR -> "unclear: " + answered.detail();
          case PENDING -> "pending: " + answered.detail();
        };
    return about + word;
  }
}
