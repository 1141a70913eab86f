package dev.tuntas.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;

/// A connection for the caller's work inside a transaction of the store, which alone ends it.
final class LentConnection {

  private static final Set<String> REFUSED =
      Set.of("commit", "rollback", "close", "abort", "setAutoCommit", "setTransactionIsolation");

  private LentConnection() {}

  static Connection of(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            LentConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (_, method, arguments) -> {
              // Rolling back to a savepoint of one's own is fine.
              if (REFUSED.contains(method.getName()) && method.getParameterCount() != 1
                  || method.getName().startsWith("set") && REFUSED.contains(method.getName())) {
                throw new IllegalStateException(
                    "the store ends this transaction: do not call " + method.getName());
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
