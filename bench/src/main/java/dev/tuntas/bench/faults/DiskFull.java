package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The disk of the database is full, and then there is room again.
final class DiskFull implements Fault {

  /// Seven logs of SQLite begin with 8 MB each.
  private static final int SQLITE_MEGABYTES = 128;

  private static final int POSTGRES_MEGABYTES = 400;

  /// A log that is copied into the database is used again, and stays near what it began with.
  private static final long LOG_BYTES_MAX = 24L << 20;

  private static final int BLOCK = 4096;

  @Override
  public String name() {
    return "disk-full";
  }

  @Override
  public String what() {
    return "the database's disk is full";
  }

  /// SQLite has room in its log for about ten seconds of these customers.
  @Override
  public Duration lasts() {
    return Duration.ofSeconds(30);
  }

  @Override
  public boolean isSeen() {
    return true;
  }

  @Override
  public @Nullable String missing(StoreKind store) {
    return SmallDisk.missing();
  }

  @Override
  public void prepare(Rig rig) throws IOException, InterruptedException {
    int megabytes = rig.store() == StoreKind.SQLITE ? SQLITE_MEGABYTES : POSTGRES_MEGABYTES;
    SmallDisk.mount(rig, databaseOf(rig), megabytes);
  }

  /// Where the database is.
  static Path databaseOf(Rig rig) {
    return rig.store() == StoreKind.SQLITE ? rig.data() : rig.postgresData();
  }

  private static Path filler(Rig rig) {
    return databaseOf(rig).resolve("filler");
  }

  @Override
  public void inject(Rig rig) throws IOException {
    var block = new byte[BLOCK];
    try (var out = Files.newOutputStream(filler(rig))) {
      while (true) out.write(block);
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("No space left")) throw e;
    }
  }

  /// PostgreSQL ends itself if there is no room for its log: then its operator starts it again.
  @Override
  public void heal(Rig rig) throws IOException, InterruptedException {
    Files.deleteIfExists(filler(rig));
    if (rig.store() == StoreKind.POSTGRES) rig.postgres().startIfDown();
  }

  @Override
  public List<String> check(Rig rig, Sightings during) throws IOException, SQLException {
    if (rig.store() != StoreKind.SQLITE) return List.of();
    long bytes = Files.size(rig.data().resolve("orders/tuntas.db-wal"));
    return bytes <= LOG_BYTES_MAX
        ? List.of()
        : List.of("The log of SQLite has %d MB and grows.".formatted(bytes >> 20));
  }
}
