package dev.tuntas.store;

/// The tables of one service: its name, and where on the class path their migrations are. These are
/// written for both databases; `${serial}` stands for a primary key that counts itself up.
public record TableSet(String name, String location) {

  public TableSet {
    if (!name.matches("[a-z_]{1,30}")) {
      throw new IllegalArgumentException("the name of a set of tables has letters a to z only");
    }
  }

  /// The tables of `dev/tuntas/{name}`.
  public static TableSet of(String name) {
    return new TableSet(name, "dev/tuntas/" + name + "/tables");
  }
}
