package dev.tuntas.store;

import static dev.tuntas.store.DataFolder.unusable;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteOpenMode;

/// Opens connections to one SQLite file, and trusts no setting that it has not read back.
final class SqliteFile {

  /// What a connection is for, with its cache and how long it waits for others.
  enum Role {
    /// More would cost more: whenever rows moved between pages, a commit looks at every page that
    /// is in the cache. Behind it there is the system's.
    WRITER(8 << 10, 5_000),
    READER(4 << 10, 5_000),
    /// While it waits for a reader, the writer waits for it.
    CHECKPOINTER(1 << 10, 20);

    private final int cacheKibibytes;
    private final int busyMillis;

    Role(int cacheKibibytes, int busyMillis) {
      this.cacheKibibytes = cacheKibibytes;
      this.busyMillis = busyMillis;
    }
  }

  /// Up to this size the whole file is checked at start: about a second.
  private static final long CHECKED_BYTES_MAX = 256L << 20;

  private final Path path;

  SqliteFile(Path path) {
    this.path = path;
  }

  /// A source for migrations; it creates the file if there is none.
  SQLiteDataSource source() {
    var source = new SQLiteDataSource(new SQLiteConfig());
    source.setUrl("jdbc:sqlite:" + path);
    return source;
  }

  Session open(Role role) throws SQLException {
    var config = new SQLiteConfig();
    config.resetOpenMode(SQLiteOpenMode.CREATE);
    config.resetOpenMode(SQLiteOpenMode.FULLMUTEX);
    config.setOpenMode(SQLiteOpenMode.NOMUTEX); // a session has one thread at a time
    config.setGetGeneratedKeys(false); // it would run one more query after every insert
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.enforceForeignKeys(true);
    config.setBusyTimeout(role.busyMillis);
    config.setCacheSize(-role.cacheKibibytes);
    var connection = config.createConnection("jdbc:sqlite:" + path);
    try {
      setUp(connection, role);
      return new Session(connection, Dialect.SQLITE);
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /// Checkpoints are the work of [Checkpointer], never of whoever happens to commit.
  private void setUp(Connection connection, Role role) throws SQLException {
    pragma(connection, "wal_autocheckpoint = 0");
    // A log that grew longer while it could not be copied gives its place back.
    pragma(connection, "journal_size_limit = " + Checkpointer.RESTART_PAGES * 4096);
    require(connection, "journal_mode", "wal");
    require(connection, "synchronous", "2");
    require(connection, "foreign_keys", "1");
    require(connection, "busy_timeout", Integer.toString(role.busyMillis));
    require(connection, "wal_autocheckpoint", "0");
    if (role == Role.WRITER) leaveTransactionsToUs(connection);
  }

  /// In automatic mode the driver would try to begin a transaction before every statement, in vain
  /// because we have begun one. In the other mode it leaves that alone; it only begins one now.
  private static void leaveTransactionsToUs(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (var statement = connection.createStatement()) {
      statement.execute("commit");
    }
  }

  private void require(Connection connection, String setting, String wanted) throws SQLException {
    var found = pragma(connection, setting);
    if (!found.equals(wanted)) {
      throw unusable(path, "has " + setting + " = " + found + ", wanted is " + wanted, null);
    }
  }

  /// Refuses a damaged file without writing to it. A very large one is trusted after a look at its
  /// schema.
  void check() throws SQLException {
    boolean small = path.toFile().length() <= CHECKED_BYTES_MAX;
    var config = new SQLiteConfig();
    config.setReadOnly(true);
    try (var connection = config.createConnection("jdbc:sqlite:" + path)) {
      var found = pragma(connection, small ? "quick_check(1)" : "schema_version");
      if (small && !found.equals("ok")) throw unusable(path, "is damaged: " + found, null);
    }
  }

  private static String pragma(Connection connection, String text) throws SQLException {
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("pragma " + text)) {
      return row.next() ? row.getString(1) : "";
    }
  }
}
