package dev.tuntas.support;

import dev.tuntas.store.Session;
import java.sql.SQLException;

/// A ride hears what becomes of its money, in the transaction that decides it; being told again
/// changes nothing. Other orders give their money back themselves.
public interface MoneyNews {

  /// Somebody decided to give some of it back.
  void refundBegun(Session session, Refund refund) throws SQLException;

  /// All of it is back.
  ///
  /// @param last the refund after which nothing was left
  void refundMade(Session session, Refund last) throws SQLException;
}
