package dev.tuntas.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/// Rows with aligned columns: the first to the left, the others to the right.
public final class TextTable {

  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(String... heads) {
    row(heads);
  }

  public void row(String... cells) {
    rows.add(List.of(cells));
  }

  public void print(PrintWriter out) {
    var widths = new int[rows.getFirst().size()];
    for (var row : rows) {
      for (int i = 0; i < widths.length; i++) widths[i] = Math.max(widths[i], row.get(i).length());
    }
    for (var row : rows) out.println(line(row, widths));
  }

  private static String line(List<String> row, int[] widths) {
    var line = new StringBuilder(row.getFirst());
    line.repeat(' ', widths[0] - line.length());
    for (int i = 1; i < widths.length; i++) {
      line.repeat(' ', widths[i] - row.get(i).length() + 2).append(row.get(i));
    }
    return line.toString().stripTrailing();
  }
}
