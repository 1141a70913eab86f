package dev.tuntas.store;

import static dev.tuntas.store.Batch.DEADLINE;
import static dev.tuntas.store.Batch.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.engine.Write;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// What a SQLite store refuses when it is opened, leaving the files as they were.
class SqliteStartTest {

  @TempDir private Path folder;
  private Path database;

  @BeforeEach
  void name() {
    database = folder.resolve("tuntas.db");
  }

  private Stores open() {
    return Stores.sqlite(folder, InstantSource.system());
  }

  /// A store in which there are some hundred pages.
  private void fill() {
    try (var stores = open()) {
      int node = stores.sagas().join("alice");
      int kind = Batch.kind(stores.sagas());
      stores
          .sagas()
          .commit(
              node,
              IntStream.range(0, 2_000).mapToObj(i -> (Write) running("s" + i, kind)).toList());
    }
  }

  private StoreException refusal() throws IOException {
    var before = Files.readAllBytes(database);
    var refusal = catchThrowableOfType(StoreException.class, () -> open().close());
    assertThat(refusal).as("a refusal").isNotNull();
    assertThat(Files.readAllBytes(database)).isEqualTo(before);
    assertThat(refusal.kind()).isEqualTo(Kind.UNUSABLE);
    return refusal;
  }

  @Test
  void a_folder_that_is_in_use() {
    try (var _ = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("is in use by another process");
    }
    open().close();
  }

  @Test
  void a_folder_that_another_process_uses() throws Exception {
    try (var _ = open()) {
      var java = ProcessHandle.current().info().command().orElseThrow();
      var other =
          new ProcessBuilder(
                  java,
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  OtherProcess.class.getName(),
                  folder.toString())
              .redirectErrorStream(true)
              .start();
      var said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(said).contains("is in use by another process");
    }
  }

  static final class OtherProcess {
    public static void main(String[] args) {
      Stores.sqlite(Path.of(args[0]), InstantSource.system()).close();
    }
  }

  @Test
  void a_limit_of_open_files_that_is_too_low_is_named() throws Exception {
    var java = ProcessHandle.current().info().command().orElseThrow();
    var other =
        new ProcessBuilder(
                "sh",
                "-c",
                "ulimit -n 256 && exec \"$@\"",
                "sh",
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                ManyFiles.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    var said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said.lines())
        .as(said)
        .hasSize(2)
        .allMatch(line -> line.contains("may have 256: raise its limit of open files (ulimit -n"))
        .anyMatch(line -> line.contains("SQLITE_CANTOPEN"));
  }

  static final class ManyFiles {
    public static void main(String[] args) {
      var folder = Path.of(args[0]);
      var file = new SqliteFile(folder.resolve("tuntas.db"));
      loadClasses(folder);
      var files = new ArrayList<FileChannel>();
      try {
        while (true) files.add(FileChannel.open(folder.resolve("tuntas.db")));
      } catch (IOException _) {
        // as many as may be
      }
      System.out.println(refusal(folder).getMessage());
      try {
        file.open(SqliteFile.Role.READER);
      } catch (SQLException e) {
        var failure = SqliteFailures.failed("read", Database.Stage.BEFORE_COMMIT, e);
        System.out.println(failure.getMessage());
      }
    }

    /// Later they could not be opened.
    private static void loadClasses(Path folder) {
      refusal(folder);
      refusal(folder.resolve("tuntas.db"));
      var failure = new SQLiteException("no", SQLiteErrorCode.SQLITE_CANTOPEN);
      SqliteFailures.failed("open", Database.Stage.BEFORE_COMMIT, failure);
    }

    private static StoreException refusal(Path folder) {
      try (var _ = Stores.sqlite(folder, InstantSource.system())) {
        return null;
      } catch (StoreException e) {
        return e;
      }
    }
  }

  @Test
  void a_file_that_is_no_database() throws IOException {
    Files.writeString(database, "dear diary, ".repeat(100));

    assertThat(refusal()).hasMessageContaining("is not a SQLite database");
  }

  @Test
  void a_database_of_somebody_else() throws Exception {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + database);
        var statement = connection.createStatement()) {
      statement.execute("pragma journal_mode = wal");
      statement.execute("create table recipes (name text)");
    }

    assertThat(refusal()).hasMessageContaining("Tuntas did not make it");
  }

  @Test
  void an_empty_file() throws IOException {
    Files.createFile(database);

    assertThat(refusal()).hasMessageContaining("is empty or cut off");
  }

  @Test
  void a_file_that_was_cut_off() throws IOException {
    fill();
    try (var file = FileChannel.open(database, StandardOpenOption.WRITE)) {
      file.truncate(file.size() / 2);
    }

    assertThat(refusal()).hasMessageContaining("is cut off");
  }

  @Test
  void a_file_with_a_damaged_page() throws IOException {
    fill();
    try (var file = FileChannel.open(database, StandardOpenOption.WRITE)) {
      for (long page = 8; page < 40; page++) {
        file.write(ByteBuffer.allocate(200), page * 4096);
      }
    }

    assertThat(refusal().getMessage()).containsAnyOf("is damaged", "malformed");
  }

  @Test
  void a_log_without_its_database() throws IOException {
    Files.writeString(folder.resolve("tuntas.db-wal"), "frames");

    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("has no database beside it");
    assertThat(database).doesNotExist();
  }

  @Test
  void a_schema_newer_than_the_program() throws Exception {
    fill();
    execute(
        "insert into tuntas_schema_history (installed_rank, version, description, type, script,"
            + " checksum, installed_by, execution_time, success)"
            + " values (99, '99', 'future', 'SQL', 'V99__future.sql', 1, 'x', 1, 1)");

    assertThat(refusal()).hasMessageContaining("version 99");
  }

  @Test
  void a_table_that_was_dropped() throws Exception {
    fill();
    execute("drop table tuntas_signal");

    assertThat(refusal()).hasMessageContaining("tuntas_signal");
  }

  private void execute(String sql) throws SQLException {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + database);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void a_first_start_that_was_interrupted_begins_again() throws IOException {
    Files.writeString(folder.resolve("tuntas.new"), "half a database");
    Files.writeString(folder.resolve("tuntas.new-journal"), "half a journal");

    fill();
    open().close();
  }

  @Test
  void whatever_an_earlier_process_owned_can_be_taken_over_at_once() {
    fill();
    try (var stores = open()) {
      int node = stores.sagas().join("alice");
      assertThat(stores.sagas().beat(node).peers()).hasSize(1);
      var taken = stores.sagas().takeOver(node, Set.of(Batch.kind(stores.sagas())), 10_000);
      assertThat(taken).hasSize(2_000).extracting(SagaRow::crashes).containsOnly(1);
      assertThat(taken).extracting(SagaRow::deadline).containsOnly(DEADLINE);
    }
  }

  @Test
  void what_was_committed_survives_a_process_that_is_killed() throws Exception {
    var java = ProcessHandle.current().info().command().orElseThrow();
    var other =
        new ProcessBuilder(
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Committer.class.getName(),
                folder.toString())
            .start();
    long last = -1;
    try (var lines = other.inputReader(StandardCharsets.UTF_8)) {
      for (int i = 0; i < 50; i++) last = Long.parseLong(lines.readLine());
    }
    other.destroyForcibly().waitFor();

    try (var stores = open()) {
      for (long i = 0; i <= last; i++) assertThat(stores.sagas().find("s" + i)).isPresent();
    }
  }

  static final class Committer {
    public static void main(String[] args) {
      var store = Stores.sqlite(Path.of(args[0]), InstantSource.system()).sagas();
      int node = store.join("alice");
      int kind = Batch.kind(store);
      for (long i = 0; ; i++) {
        store.commit(node, List.of(running("s" + i, kind)));
        System.out.println(i);
      }
    }
  }
}
