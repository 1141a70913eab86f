package dev.tuntas.store;

import dev.tuntas.engine.Write;
import java.sql.SQLException;
import java.util.BitSet;
import java.util.List;

/// Writes a batch, all its entries in one transaction.
sealed interface Batches permits PostgresBatches, SqliteBatches {

  /// Sets a bit for each entry that was allowed. The batch has at most one entry per saga.
  BitSet write(Session session, int node, List<Write> batch) throws SQLException;

  /// Inserts one saga; false when its id is known.
  boolean insert(Session session, int node, Write.Insert saga) throws SQLException;
}
