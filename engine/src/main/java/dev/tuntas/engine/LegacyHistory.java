package dev.tuntas.engine;

import dev.tuntas.engine.HistoryEntry.AnswerLost;
import dev.tuntas.engine.HistoryEntry.Answered;
import dev.tuntas.engine.HistoryEntry.Remark;
import dev.tuntas.engine.HistoryEntry.Result;
import dev.tuntas.engine.HistoryEntry.Ruled;
import dev.tuntas.engine.HistoryEntry.Sent;
import dev.tuntas.engine.HistoryEntry.Skipped;
import dev.tuntas.engine.HistoryEntry.TimedOut;
import dev.tuntas.engine.Next.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The history of earlier builds, which is English. It is read for display only: text from outside
/// stands in it, so nothing about money may follow from it.
final class LegacyHistory {

  /// The detail of a failure may hold anything: it ends with the last parenthesis of the line.
  private static final Pattern ANSWERED =
      Pattern.compile(
          "(asked about |undo of )?([^;]+?):? "
              + "(?:(succeeded)|failed: (\\S+) \\((.*)\\)|(unclear|pending): (.*?))(?=; |$)");

  private static final Pattern RULED_HAPPENED =
      Pattern.compile("([^;]+?) ruled 'happened': (.*?)(; refused: .*)?$");

  private static final Pattern SENT = Pattern.compile("sent (.+?)(?: #([0-9]{1,9}))?, key (.+)");

  private static final Pattern SKIPPED = Pattern.compile("going on without (knowing about )?(.+)");
  private static final Pattern LOST = Pattern.compile("(.+) is unclear: its worker died");
  private static final Pattern TIMED_OUT = Pattern.compile("(.+) ran out of time");
  private static final String BETWEEN = "; ";

  private LegacyHistory() {}

  static List<HistoryEntry> read(String line) {
    var entries = new ArrayList<HistoryEntry>(4);
    int at = 0;
    while (at < line.length()) {
      int end = line.indexOf(BETWEEN, at);
      if (end < 0) end = line.length();
      var clause = line.substring(at, end);
      var answered = ANSWERED.matcher(line).region(at, line.length());
      var ruled = RULED_HAPPENED.matcher(line).region(at, line.length());
      if (LOST.matcher(clause).matches()) {
        entries.add(simple(clause));
      } else if (answered.lookingAt()) {
        entries.add(answered(answered));
        end = answered.end();
      } else if (ruled.lookingAt()) {
        entries.add(happened(ruled));
        if (ruled.group(3) != null) end = line.length();
      } else {
        entries.add(simple(clause));
      }
      at = end + BETWEEN.length();
    }
    return entries;
  }

  private static HistoryEntry answered(Matcher found) {
    var direction =
        switch (found.group(1)) {
          case "asked about " -> Direction.ASK;
          case "undo of " -> Direction.UNDO;
          case null, default -> Direction.DO;
        };
    var step = found.group(2);
    if (found.group(3) != null) return new Answered(direction, step, Result.SUCCEEDED, "", "");
    if (found.group(4) != null) {
      return new Answered(direction, step, Result.FAILED, found.group(4), found.group(5));
    }
    var result = found.group(6).equals("pending") ? Result.PENDING : Result.UNCLEAR;
    return new Answered(direction, step, result, "", found.group(7));
  }

  /// Which step it was about was not written down: the one that was sent last.
  private static HistoryEntry happened(Matcher found) {
    var ruling =
        new Ruling(Ruling.Kind.HAPPENED, found.group(1), found.group(2) + " ", "", Long.MAX_VALUE);
    return new Ruled(ruling, null, false, found.group(3));
  }

  private static HistoryEntry simple(String clause) {
    var sent = SENT.matcher(clause);
    if (sent.matches()) {
      var attempt = sent.group(2) == null ? 1 : Integer.parseInt(sent.group(2));
      return new Sent(sent.group(1), attempt, sent.group(3));
    }
    var skipped = SKIPPED.matcher(clause);
    if (skipped.matches()) return new Skipped(skipped.group(2), skipped.group(1) == null);
    var lost = LOST.matcher(clause);
    if (lost.matches()) return new AnswerLost(lost.group(1));
    var timedOut = TIMED_OUT.matcher(clause);
    if (timedOut.matches()) return new TimedOut(timedOut.group(1));
    return new Remark(clause);
  }
}
