package dev.tuntas.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A folder on a real disk, and a PostgreSQL server if one is needed. Both are gone when it is
/// closed, or when the process is told to end.
public final class Workplace implements AutoCloseable {

  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");
  private static final Path TEMPORARY_ON_DISK = Path.of("/var/tmp");

  private final Path folder;
  private final Thread hook = new Thread(this::clear, "tuntas-bench-clear");
  private @Nullable PostgresServer postgres;
  private boolean cleared;

  private Workplace(Path folder) {
    this.folder = folder;
  }

  static Workplace open(BenchSettings settings) throws IOException, SQLException {
    return open(settings.data(), settings.needsPostgres(), settings.url(), settings.span());
  }

  /// @param data where to make the folder; null takes a usual place
  /// @param url a PostgreSQL server to use; null starts one
  /// @param span how long something is measured there
  public static Workplace open(
      @Nullable Path data, boolean needsPostgres, @Nullable String url, Duration span)
      throws IOException, SQLException {
    var folder = Files.createTempDirectory(parent(data), "tuntas-bench-");
    var workplace = new Workplace(folder);
    Runtime.getRuntime().addShutdownHook(workplace.hook);
    try {
      if (needsPostgres) workplace.openPostgres(url, span);
      return workplace;
    } catch (IOException | SQLException | RuntimeException e) {
      workplace.close();
      throw e;
    }
  }

  private void openPostgres(@Nullable String url, Duration span) throws IOException, SQLException {
    postgres =
        url == null
            ? PostgresServer.embedded(folder.resolve("postgres"), span)
            : PostgresServer.external(url);
    postgres.requireDurable();
  }

  /// The wanted folder, or one for temporary files; never one in memory, where fsync costs nothing.
  private static Path parent(@Nullable Path wanted) throws IOException {
    if (wanted != null) {
      if (isInMemory(wanted)) {
        throw new BenchException(wanted + " is in memory: durability would cost nothing there");
      }
      return wanted;
    }
    var usual = Path.of(System.getProperty("java.io.tmpdir"));
    if (!isInMemory(usual)) return usual;
    if (Files.isWritable(TEMPORARY_ON_DISK) && !isInMemory(TEMPORARY_ON_DISK)) {
      return TEMPORARY_ON_DISK;
    }
    throw new BenchException(
        usual + " is in memory: say with --data which disk to measure, as a folder on it");
  }

  private static boolean isInMemory(Path path) throws IOException {
    return IN_MEMORY.contains(Files.getFileStore(path).type());
  }

  /// Lets the system write what it has put off, where it can be asked to.
  static void writeBack() throws InterruptedException {
    try {
      new ProcessBuilder("sync").start().waitFor();
    } catch (IOException _) {
      // then it is written meanwhile
    }
  }

  public Path folder(String name) {
    return folder.resolve(name);
  }

  public PostgresServer postgres() {
    if (postgres == null) throw new IllegalStateException("nobody asked for PostgreSQL");
    return postgres;
  }

  @Override
  public void close() {
    clear();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // the process is ending, and the hook is what runs or has run
    }
  }

  private synchronized void clear() {
    if (cleared) return;
    cleared = true;
    if (postgres != null) postgres.close();
    try {
      delete(folder);
    } catch (IOException | UncheckedIOException e) {
      System.err.println("tuntas bench: could not delete " + folder + ": " + e);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    }
  }
}
