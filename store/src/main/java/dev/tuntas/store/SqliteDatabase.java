package dev.tuntas.store;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.store.SharedCommits.Transactions;
import dev.tuntas.store.SqliteFile.Role;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// SQLite in a folder of its own: one writer, some readers, and a thread that keeps the log short.
final class SqliteDatabase extends Database {

  private static final int READERS = 3;
  private static final int WAIT_SECONDS_MAX = 10;

  private final DataFolder folder;
  private final SqliteFile file;
  private final ReentrantLock writing = new ReentrantLock(true);
  private final BlockingQueue<KeptSession> readers = new LinkedBlockingQueue<>();
  private final OneConnection one = new OneConnection();
  private final Checkpointer checkpointer;
  private final SharedCommits shared;
  private final KeptSession writer;

  private SqliteDatabase(DataFolder folder, SqliteFile file, String name) {
    this.folder = folder;
    this.file = file;
    this.writer = new KeptSession(file, Role.WRITER);
    var log = new SqliteLog(new KeptSession(file, Role.CHECKPOINTER));
    this.checkpointer = new Checkpointer(log, writing);
    for (int i = 0; i < READERS; i++) readers.add(new KeptSession(file, Role.READER));
    this.shared = new SharedCommits(name, 1, Transactions.of(this));
  }

  static SqliteDatabase open(Path path) {
    return open(path, "tables", Schema.Wanted.sagas(Dialect.SQLITE));
  }

  /// @param name of the thread that writes for others
  static SqliteDatabase open(Path path, String name, Schema.Wanted tables) {
    var folder = DataFolder.lock(path);
    try {
      var file = new SqliteFile(folder.database());
      if (folder.hasDatabase()) bringUpToDate(file, tables);
      else create(folder, tables);
      folder.makeRoomForLog();
      return new SqliteDatabase(folder, file, name).start();
    } catch (SQLException e) {
      folder.close();
      throw SqliteFailures.failed("open " + path, Stage.BEFORE_COMMIT, e);
    } catch (RuntimeException e) {
      folder.close();
      var hint = OpenFiles.hint();
      if (e instanceof StoreException || hint.isEmpty()) throw e;
      throw new StoreException(Kind.NOT_DONE, "open " + path + ": " + e.getMessage() + hint, e);
    }
  }

  /// Whatever was opened is closed if not all can be.
  private SqliteDatabase start() throws SQLException {
    boolean started = false;
    try {
      writer.open();
      for (var reader : readers) reader.open();
      checkpointer.start();
      started = true;
      return this;
    } finally {
      if (!started) close();
    }
  }

  private static void bringUpToDate(SqliteFile file, Schema.Wanted tables) throws SQLException {
    file.check();
    var schema = new Schema(file.source(), Dialect.SQLITE, tables);
    schema.requireOurs();
    schema.migrate();
  }

  private static void create(DataFolder folder, Schema.Wanted tables) throws SQLException {
    var unfinished = folder.unfinished();
    new Schema(new SqliteFile(unfinished).source(), Dialect.SQLITE, tables).migrate();
    folder.finish(unfinished);
  }

  @Override
  Dialect dialect() {
    return Dialect.SQLITE;
  }

  @Override
  int writers() {
    return 1;
  }

  @Override
  <T, X extends Exception> T read(String attempted, Work<T, X> work) throws X {
    one.take(attempted);
    try {
      return readFrom(reader(attempted), attempted, work);
    } finally {
      one.giveBack();
    }
  }

  private <T, X extends Exception> T readFrom(KeptSession reader, String attempted, Work<T, X> work)
      throws X {
    try {
      return work.run(reader.open());
    } catch (SQLException e) {
      throw failure(attempted, Stage.BEFORE_COMMIT, e);
    } finally {
      reader.giveUpIfDoubtful();
      readers.add(reader);
    }
  }

  private KeptSession reader(String attempted) {
    try {
      var reader = readers.poll(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
      if (reader != null) return reader;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    throw new StoreException(Kind.NOT_DONE, attempted + ": no connection was free", null);
  }

  @Override
  <T, X extends Exception> T write(String attempted, Work<T, X> work) throws X {
    return transact(attempted, work);
  }

  @Override
  <T, X extends Exception> T commit(String attempted, Work<T, X> work) throws X {
    return transact(attempted, work);
  }

  @Override
  <T, X extends Exception> T commitTogether(String attempted, Work<T, X> work) throws X {
    return transact(attempted, work);
  }

  @Override
  <T, X extends Exception> T transact(String attempted, Work<T, X> work) throws X {
    one.take(attempted);
    try {
      return transactInTurn(attempted, work);
    } finally {
      one.giveBack();
    }
  }

  private <T, X extends Exception> T transactInTurn(String attempted, Work<T, X> work) throws X {
    lockWriter(attempted);
    try {
      var result = inTransaction(attempted, work);
      checkpointer.written();
      return result;
    } finally {
      writing.unlock();
    }
  }

  /// There is one writer: without this, everybody would queue for it.
  @Override
  <T> T share(String attempted, Tables.Work<T> work) {
    return shared.write(attempted, work);
  }

  private void lockWriter(String attempted) {
    if (writing.isHeldByCurrentThread()) {
      throw new IllegalStateException(attempted + ": not from inside another transaction");
    }
    try {
      if (writing.tryLock(WAIT_SECONDS_MAX, TimeUnit.SECONDS)) return;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    throw new StoreException(Kind.NOT_DONE, attempted + ": the writer is busy", null);
  }

  private <T, X extends Exception> T inTransaction(String attempted, Work<T, X> work) throws X {
    var stage = Stage.BEFORE_COMMIT;
    boolean done = false;
    try {
      var session = writer.open();
      session.update("begin immediate");
      var result = work.run(session);
      stage = Stage.COMMIT;
      session.update("commit");
      done = true;
      return result;
    } catch (SQLException e) {
      throw failure(attempted, stage, e);
    } finally {
      if (!done) writer.rollBack();
      writer.giveUpIfDoubtful();
    }
  }

  @Override
  Optional<LogState> log() {
    return Optional.of(
        new LogState(folder.walSize(), checkpointer.failingFor(), checkpointer.whyFailing()));
  }

  @Override
  void migrate(Schema.Wanted tables) {
    writing.lock();
    try {
      new Schema(file.source(), Dialect.SQLITE, tables).migrate();
    } catch (SQLException e) {
      throw SqliteFailures.failed("make tables", Stage.BEFORE_COMMIT, e);
    } finally {
      writing.unlock();
    }
  }

  @Override
  boolean canWriteAnew() {
    try (var session = file.open(Role.WRITER)) {
      return session.update("update tuntas_probe set count = count + 1") == 1;
    } catch (SQLException _) {
      return false;
    }
  }

  @Override
  StoreException failure(String attempted, Stage stage, SQLException cause) {
    return SqliteFailures.failed(attempted, stage, cause);
  }

  @Override
  public void close() {
    shared.close();
    checkpointer.close();
    writing.lock();
    try {
      readers.forEach(KeptSession::close);
      writer.close();
    } finally {
      writing.unlock();
      folder.close();
    }
  }
}
