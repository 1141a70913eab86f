package dev.tuntas.store;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The folder of a SQLite store. While it is open, no other process can open it.
final class DataFolder implements AutoCloseable {

  private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
  private static final int HEADER_BYTES = 100;
  private static final int LOG_BYTES = 8 << 20;

  /// The system keeps what is written at once as one piece, and to change a page of a large piece
  /// takes it twice as long.
  private static final int PIECE_BYTES = 64 << 10;

  private final Path folder;
  private final FileChannel lock;

  private DataFolder(Path folder, FileChannel lock) {
    this.folder = folder;
    this.lock = lock;
  }

  static DataFolder lock(Path folder) {
    try {
      Files.createDirectories(folder);
      var channel =
          FileChannel.open(
              folder.resolve("tuntas.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!locked(channel)) {
        channel.close();
        throw unusable(folder, "is in use by another process", null);
      }
      return new DataFolder(folder, channel);
    } catch (IOException e) {
      throw failed(folder, "cannot be opened", e);
    }
  }

  private static boolean locked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException _) {
      return false; // by this very process
    }
  }

  Path database() {
    return folder.resolve("tuntas.db");
  }

  Path wal() {
    return folder.resolve("tuntas.db-wal");
  }

  /// Bytes in the write-ahead log.
  long walSize() {
    return wal().toFile().length();
  }

  /// Gives a log that does not exist yet its place on the disk. A commit that makes a file longer
  /// waits several times as long as one that writes over what is there; SQLite finds a log of zeros
  /// empty.
  void makeRoomForLog() {
    if (walSize() > 0) return;
    try (var log = FileChannel.open(wal(), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      var zeros = ByteBuffer.allocate(PIECE_BYTES);
      for (int done = 0; done < LOG_BYTES; done += PIECE_BYTES) {
        zeros.clear();
        while (zeros.hasRemaining()) log.write(zeros);
      }
      log.force(true);
    } catch (IOException e) {
      throw failed(wal(), "cannot be written", e);
    }
  }

  /// Whether there is a database; refuses one that was damaged or cut off.
  boolean hasDatabase() {
    try {
      if (Files.notExists(database())) {
        if (walSize() > 0) throw unusable(wal(), "has no database beside it", null);
        return false;
      }
      checkHeader();
      return true;
    } catch (IOException e) {
      throw failed(database(), "cannot be read", e);
    }
  }

  private void checkHeader() throws IOException {
    var header = ByteBuffer.allocate(HEADER_BYTES);
    try (var file = FileChannel.open(database(), StandardOpenOption.READ)) {
      while (header.hasRemaining() && file.read(header) >= 0) {}
      if (header.hasRemaining()) throw unusable(database(), "is empty or cut off", null);
      if (!Arrays.equals(MAGIC, 0, 16, header.array(), 0, 16)) {
        throw unusable(database(), "is not a SQLite database", null);
      }
      // With a log beside it, the file may lawfully be behind.
      if (walSize() == 0 && file.size() < pages(header) * pageBytes(header)) {
        throw unusable(database(), "is cut off: pages are missing at its end", null);
      }
    }
  }

  private static long pages(ByteBuffer header) {
    return Integer.toUnsignedLong(header.getInt(28));
  }

  private static long pageBytes(ByteBuffer header) {
    int size = Short.toUnsignedInt(header.getShort(16));
    return size == 1 ? 65536 : size;
  }

  /// Where a new database is made; it becomes the database once it is whole.
  Path unfinished() {
    try {
      for (var suffix : new String[] {"", "-wal", "-shm", "-journal"}) {
        Files.deleteIfExists(folder.resolve("tuntas.new" + suffix));
      }
      return folder.resolve("tuntas.new");
    } catch (IOException e) {
      throw failed(folder, "cannot be written", e);
    }
  }

  void finish(Path unfinished) {
    try {
      Files.move(unfinished, database(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw failed(folder, "cannot be written", e);
    }
    try (var directory = FileChannel.open(folder, StandardOpenOption.READ)) {
      directory.force(true);
    } catch (IOException _) {
      // not every system can sync a folder
    }
  }

  static StoreException unusable(Path path, String why, @Nullable Throwable cause) {
    return new StoreException(Kind.UNUSABLE, path + " " + why, cause);
  }

  private static StoreException failed(Path path, String why, IOException cause) {
    var reason =
        switch (cause) {
          case AccessDeniedException _ -> "permission denied";
          case FileSystemException e when e.getReason() != null -> e.getReason();
          default -> cause.getMessage();
        };
    return unusable(path, why + ": " + reason + OpenFiles.hint(), cause);
  }

  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new StoreException(Kind.NOT_DONE, "unlock " + folder, e);
    }
  }
}
