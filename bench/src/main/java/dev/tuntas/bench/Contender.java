package dev.tuntas.bench;

import java.io.IOException;
import java.sql.SQLException;

/// A system that does checkouts durably: submit, then payment, inventory and confirm, each durable
/// before the next.
interface Contender {

  String name();

  /// Opens it on its own tables, which keep what earlier rounds left there.
  Shop open() throws IOException, SQLException;

  /// A contender at work.
  interface Shop extends AutoCloseable {

    /// Begins a checkout and returns soon; `ended` is run once its end is durable.
    void begin(String id, Runnable ended);

    @Override
    void close();

    /// What was written since it was opened. Exact once it is closed.
    Cost cost() throws SQLException;
  }

  /// Transactions that were committed, and rows that were inserted, updated or deleted.
  record Cost(long commits, long rows) {}
}
