package dev.tuntas.bench.faults;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.StoreKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The disk returns garbage for the pages of SQLite's tables, and then what was there before.
///
/// Meanwhile nothing may be copied from the log into the database, or it would be undone in the
/// end: the lock of whoever copies is taken. Pages without a header of their own stay as they are,
/// because garbage in them looks like data.
final class BadPages implements Fault {

  /// Where SQLite keeps the lock of a checkpoint, in the file `-shm`.
  private static final long CHECKPOINT_LOCK = 121;

  private static final int PAGE_SIZE_AT = 16;
  private static final int PAGE_SIZE_LEAST = 512;
  private static final byte GARBAGE = (byte) 0xA5;

  /// How pages of tables and indexes begin.
  private static final Set<Byte> TREES = Set.of((byte) 2, (byte) 5, (byte) 10, (byte) 13);

  private static final int ATTEMPTS = 500;
  private static final Duration TRY_AGAIN = Duration.ofMillis(10);

  private final Map<Long, byte[]> pages = new LinkedHashMap<>();
  private @Nullable FileChannel shared;
  private @Nullable FileLock lock;

  @Override
  public String name() {
    return "bad-pages";
  }

  @Override
  public String what() {
    return "the disk returns garbage for pages of the database";
  }

  @Override
  public Set<StoreKind> stores() {
    return Set.of(StoreKind.SQLITE);
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(3);
  }

  @Override
  public boolean isSeen() {
    return true;
  }

  private static Path database(Rig rig) {
    return rig.data().resolve("orders/tuntas.db");
  }

  @Override
  public void inject(Rig rig) throws IOException, InterruptedException {
    var opened =
        FileChannel.open(
            rig.data().resolve("orders/tuntas.db-shm"),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    shared = opened;
    lock = lock(opened);
    try (var file = open(rig)) {
      int size = pageSize(file);
      var garbage = new byte[size];
      Arrays.fill(garbage, GARBAGE);
      for (long at = size; at + size <= file.size(); at += size) {
        var page = new byte[size];
        file.read(ByteBuffer.wrap(page), at);
        if (!TREES.contains(page[0])) continue;
        pages.put(at, page);
        file.write(ByteBuffer.wrap(garbage), at);
      }
    }
    if (pages.isEmpty()) throw new BenchException("the database has no pages yet");
  }

  private static FileLock lock(FileChannel shared) throws IOException, InterruptedException {
    for (int i = 0; i < ATTEMPTS; i++) {
      var lock = shared.tryLock(CHECKPOINT_LOCK, 1, false);
      if (lock != null) return lock;
      Thread.sleep(TRY_AGAIN);
    }
    throw new BenchException("the log of SQLite was being copied all the time");
  }

  private static FileChannel open(Rig rig) throws IOException {
    return FileChannel.open(database(rig), StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static int pageSize(FileChannel file) throws IOException {
    var two = ByteBuffer.allocate(2);
    file.read(two, PAGE_SIZE_AT);
    int size = Short.toUnsignedInt(two.getShort(0));
    return size < PAGE_SIZE_LEAST ? 1 << 16 : size;
  }

  @Override
  public void heal(Rig rig) throws IOException {
    try (var file = open(rig)) {
      for (var page : pages.entrySet()) file.write(ByteBuffer.wrap(page.getValue()), page.getKey());
    }
    pages.clear();
    if (lock != null) lock.release();
    if (shared != null) shared.close();
  }
}
