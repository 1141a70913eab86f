package dev.tuntas.store;

import dev.tuntas.engine.SagaStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;

/// A connection for the caller's work inside a transaction of the store, which alone ends it.
final class LentConnection implements InvocationHandler {

  /// A failure of the caller's own statements, which is not one of the store's.
  static final class WorkFailed extends Exception {
    private static final long serialVersionUID = 1L;

    private final SQLException failure;

    WorkFailed(SQLException failure) {
      super(failure);
      this.failure = failure;
    }

    SQLException failure() {
      return failure;
    }
  }

  private final Connection connection;

  private LentConnection(Connection connection) {
    this.connection = connection;
  }

  static void to(SagaStore.Work work, Session session) throws Exception {
    var lent =
        (Connection)
            Proxy.newProxyInstance(
                LentConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new LentConnection(session.connection()));
    try {
      work.run(lent);
    } catch (SQLException e) {
      session.failed(e);
      throw new WorkFailed(e);
    }
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    if (endsTransaction(method)) {
      throw new IllegalStateException(
          "the store ends this transaction: do not call " + method.getName());
    }
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static boolean endsTransaction(Method method) {
    return switch (method.getName()) {
      case "commit", "close", "abort", "setAutoCommit" -> true;
      case "rollback" -> method.getParameterCount() == 0; // to a savepoint of one's own is fine
      default -> false;
    };
  }
}
