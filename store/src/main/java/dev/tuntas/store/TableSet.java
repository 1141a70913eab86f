package dev.tuntas.store;

/// The tables of one service: its name, and where on the class path their migrations are. These are
/// written for both databases; `${serial}` stands for a primary key that counts itself up.
///
/// @param writtenInTurn whether those who write take turns: see [#inTurn()]
public record TableSet(String name, String location, boolean writtenInTurn) {

  public TableSet {
    if (!name.matches("[a-z_]{1,30}")) {
      throw new IllegalArgumentException("the name of a set of tables has letters a to z only");
    }
  }

  /// The tables of `dev/tuntas/{name}`.
  public static TableSet of(String name) {
    return new TableSet(name, "dev/tuntas/" + name + "/tables", false);
  }

  /// The same for rows that many want at once, each in an order of its own: whoever writes waits
  /// until all others, also those of other processes, are done. Side by side they would wait for
  /// each other in circles.
  public TableSet inTurn() {
    return new TableSet(name, location, true);
  }
}
