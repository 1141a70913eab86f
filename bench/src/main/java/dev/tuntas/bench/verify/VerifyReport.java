package dev.tuntas.bench.verify;

import static dev.tuntas.bench.verify.Line.number;

import java.io.PrintWriter;
import java.util.List;

/// What came of a verification.
///
/// @param inMotion orders that were neither at their end nor on a person's desk
/// @param undelivered notices and messages that were still to be delivered
/// @param notes what could not be looked at
public record VerifyReport(
    List<Line> lines, long orders, long inMotion, long undelivered, List<String> notes) {

  public VerifyReport {
    lines = List.copyOf(lines);
    notes = List.copyOf(notes);
  }

  public long violations() {
    return lines.stream().mapToLong(line -> line.finding().violations()).sum();
  }

  public long violationsOf(String invariant) {
    return lines.stream()
        .filter(line -> line.invariant().equals(invariant))
        .mapToLong(line -> line.finding().violations())
        .sum();
  }

  public void print(PrintWriter out) {
    lines.forEach(line -> line.print(out));
    notes.forEach(out::println);
    if (inMotion > 0) {
      out.println(
          number(inMotion) + " orders were in motion: what holds at rest was not asked of them.");
    }
    out.flush();
  }

  String json() {
    return """
    {"invariants":%d,"violations":%d,"orders":%d,"in_motion":%d,"undelivered":%d}\
    """
        .formatted(lines.size(), violations(), orders, inMotion, undelivered);
  }
}
