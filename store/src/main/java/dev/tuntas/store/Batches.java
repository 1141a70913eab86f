package dev.tuntas.store;

import dev.tuntas.engine.Write;
import java.sql.SQLException;
import java.util.BitSet;
import java.util.List;

/// Writes a batch, all its entries in one transaction.
sealed interface Batches permits PostgresBatches, SqliteBatches {

  /// Sets a bit for each entry that was allowed. The batch has at most one entry per saga. If it is
  /// `joined` with other statements in a transaction, none of its own may fail it.
  BitSet write(Session session, int node, List<Write> batch, boolean joined) throws SQLException;

  /// Inserts one saga; false when its id is known.
  boolean insert(Session session, int node, Write.Insert saga) throws SQLException;
}
