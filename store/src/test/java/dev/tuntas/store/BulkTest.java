package dev.tuntas.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How often the database is asked: at 300 ms for each time, seven rows took two seconds.
class BulkTest {

  private static final Bulk ITEMS = new Bulk("item", "name", "name", "stock");

  private Connection sqlite;
  private int executed;

  @BeforeEach
  void makeTable() throws SQLException {
    sqlite = DriverManager.getConnection("jdbc:sqlite::memory:");
    try (var statement = sqlite.createStatement()) {
      statement.execute("create table item (no integer primary key, name text unique, stock int)");
    }
  }

  @AfterEach
  void close() throws SQLException {
    sqlite.close();
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "2, 1", "3, 1", "7, 1", "8, 1", "9, 1", "63, 1", "64, 1", "65, 2"})
  void so_many_rows_are_so_many_statements(int rows, int statements) throws SQLException {
    var names = IntStream.range(0, rows).mapToObj(i -> "n" + i).toList();
    var session = new Session(counted(Connection.class, sqlite), Dialect.SQLITE);
    var inserted = ITEMS.insert(session, names.stream().map(it -> List.of(it, 1)).toList());
    assertThat(inserted).containsExactlyElementsOf(names);
    assertThat(executed).isEqualTo(statements);
    assertThat(session.list("select name from item order by no", row -> row.getString(1)))
        .containsExactlyElementsOf(names);
  }

  private <T> T counted(Class<T> type, T real) {
    InvocationHandler handler =
        (_, method, arguments) -> {
          if (method.getName().equals("executeQuery")) executed += 1;
          try {
            var result = method.invoke(real, arguments);
            return result instanceof PreparedStatement it
                ? counted(PreparedStatement.class, it)
                : result;
          } catch (InvocationTargetException failure) {
            throw failure.getCause();
          }
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
