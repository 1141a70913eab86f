package dev.tuntas.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.store.Database.Stage;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// What is known after a failure, before and while a transaction was asked to commit.
class FailuresTest {

  @ParameterizedTest
  @CsvSource({
    "22021, BAD_DATA, BAD_DATA", // NUL in a text
    "23514, BAD_DATA, BAD_DATA", // check constraint
    "54000, BAD_DATA, BAD_DATA", // id too long for the index
    "40001, NOT_DONE, NOT_DONE", // serialization
    "40P01, NOT_DONE, NOT_DONE", // deadlock
    "53100, NOT_DONE, NOT_DONE", // disk full
    "53300, NOT_DONE, NOT_DONE", // too many connections
    "55P03, BLOCKED, BLOCKED", // lock timeout
    "57014, BLOCKED, BLOCKED", // statement timeout
    "57P03, NOT_DONE, NOT_DONE", // starting up
    "25006, NOT_DONE, NOT_DONE", // read-only after a failover
    "57P01, NOT_DONE, UNKNOWN", // shut down
    "08006, NOT_DONE, UNKNOWN", // connection lost
    "40003, NOT_DONE, UNKNOWN", // completion unknown
    "58030, NOT_DONE, UNKNOWN", // I/O error
    "42P01, UNUSABLE, UNUSABLE", // no such table
    "42501, UNUSABLE, UNUSABLE", // no right to it
    "XX001, UNUSABLE, UNUSABLE", // data corrupted
    "'', NOT_DONE, UNKNOWN",
  })
  void postgres(String state, Kind before, Kind atCommit) {
    var failure = new SQLException("no", state);

    assertThat(PostgresFailures.kindOf(failure, Stage.BEFORE_COMMIT)).isEqualTo(before);
    assertThat(PostgresFailures.kindOf(failure, Stage.COMMIT)).isEqualTo(atCommit);
  }

  @ParameterizedTest
  @CsvSource({
    "SQLITE_CONSTRAINT_CHECK, BAD_DATA, BAD_DATA",
    "SQLITE_TOOBIG, BAD_DATA, BAD_DATA",
    "SQLITE_BUSY, NOT_DONE, NOT_DONE",
    "SQLITE_LOCKED, NOT_DONE, NOT_DONE",
    "SQLITE_FULL, NOT_DONE, NOT_DONE",
    "SQLITE_IOERR_WRITE, NOT_DONE, UNKNOWN",
    "SQLITE_IOERR_FSYNC, NOT_DONE, UNKNOWN",
    "SQLITE_NOMEM, NOT_DONE, UNKNOWN",
    "SQLITE_READONLY, NOT_DONE, UNKNOWN",
    "SQLITE_CORRUPT, UNUSABLE, UNUSABLE",
    "SQLITE_NOTADB, UNUSABLE, UNUSABLE",
    "SQLITE_ERROR, UNUSABLE, UNKNOWN",
  })
  void sqlite(SQLiteErrorCode code, Kind before, Kind atCommit) {
    var failure = new SQLiteException("no", code);

    assertThat(SqliteFailures.kindOf(failure, Stage.BEFORE_COMMIT)).isEqualTo(before);
    assertThat(SqliteFailures.kindOf(failure, Stage.COMMIT)).isEqualTo(atCommit);
  }
}
