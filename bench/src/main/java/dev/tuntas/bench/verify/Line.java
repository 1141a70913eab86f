package dev.tuntas.bench.verify;

import dev.tuntas.simulator.verify.Finding;
import java.io.PrintWriter;
import java.util.Locale;

/// What came of one invariant, as it is printed.
///
/// @param looked how many were looked at
/// @param things what they are
public record Line(Finding finding, long looked, String things) {

  private static final int SENTENCES_MAX = 5;

  public String invariant() {
    return finding.invariant();
  }

  void print(PrintWriter out) {
    out.printf(
        "%-4s %-3s %s (%s %s)%n",
        finding.holds() ? "ok" : "FAIL", invariant(), finding.promise(), number(looked), things);
    finding.sentences().stream()
        .limit(SENTENCES_MAX)
        .forEach(sentence -> out.println("         " + sentence));
    long more = finding.violations() - SENTENCES_MAX;
    if (more > 0) out.println("         ... and " + number(more) + " more");
  }

  /// In groups of three.
  static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value).replace(',', ' ');
  }
}
