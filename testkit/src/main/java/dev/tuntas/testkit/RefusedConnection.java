package dev.tuntas.testkit;

import dev.tuntas.engine.StoreException;
import java.lang.reflect.Proxy;
import java.sql.Connection;

/// What a memory store has instead of a connection.
final class RefusedConnection {

  /// Refuses everything.
  static final Connection CONNECTION =
      (Connection)
          Proxy.newProxyInstance(
              RefusedConnection.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (_, _, _) -> {
                throw refusal();
              });

  private RefusedConnection() {}

  static StoreException refusal() {
    return new StoreException(
        StoreException.Kind.BAD_DATA,
        "a memory store has no connections and cannot join one",
        null);
  }
}
