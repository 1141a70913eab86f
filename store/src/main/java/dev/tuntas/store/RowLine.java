package dev.tuntas.store;

import dev.tuntas.engine.Write;

/// One line of a saga's history, as it is appended to the saga's row: `[version, at, node, what],`.
/// Keys of effects begin with the saga's id, which is not said again: `what` is in pieces wherever
/// it was.
final class RowLine {

  /// So many are in a row at a time.
  private static final int MANY = 12;

  private RowLine() {}

  /// Whether the lines in a saga's row are to move to a table of their own with this version.
  static boolean areMany(long version) {
    return version % MANY == 0;
  }

  static String of(Write entry, int node) {
    var id = entry.id();
    var what = entry.what();
    var line = new StringBuilder(what.length() + 40).append('[');
    line.append(entry.makesVersion()).append(',');
    line.append(entry.at().toEpochMilli()).append(',').append(node);
    int from = 0;
    for (int found; (found = what.indexOf(id, from)) >= 0; from = found + id.length()) {
      JsonArray.quote(what, from, found, line.append(','));
    }
    JsonArray.quote(what, from, what.length(), line.append(','));
    return line.append("],").toString();
  }
}
