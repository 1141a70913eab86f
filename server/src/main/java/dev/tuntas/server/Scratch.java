package dev.tuntas.server;

import dev.tuntas.server.settings.SettingsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.springframework.util.FileSystemUtils;

/// A folder for what is not needed once this process has ended, such as the native code of SQLite.
/// A process that is killed leaves its folder behind, and the next one removes it: it is locked for
/// as long as its process lives.
final class Scratch implements AutoCloseable {

  private static final String PREFIX = "tuntas-scratch-";
  private static final String LOCK = "lock";

  private final Path folder;
  private final FileChannel lock;

  private Scratch(Path folder, FileChannel lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /// @param parent where folders for temporary files are made
  static Scratch in(Path parent) {
    try {
      removeLeftOvers(parent);
      var folder = Files.createTempDirectory(parent, PREFIX);
      // It gets its name when it is locked: others must not find it free before.
      var unnamed = folder.resolve("new");
      var lock = FileChannel.open(unnamed, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      lock.lock();
      Files.move(unnamed, folder.resolve(LOCK));
      return new Scratch(folder, lock);
    } catch (IOException _) {
      throw new SettingsException(
          "temporary files cannot be made in " + parent + "; -Djava.io.tmpdir=DIR names another");
    }
  }

  /// A folder in it that is empty.
  Path folder(String name) {
    try {
      return Files.createDirectory(folder.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void removeLeftOvers(Path parent) throws IOException {
    try (var folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (var folder : folders) if (isLeftOver(folder)) remove(folder);
    }
  }

  private static boolean isLeftOver(Path folder) {
    var file = folder.resolve(LOCK);
    // Others may write there too: what is not a file could keep whoever opens it waiting.
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) return false;
    try (var lock = FileChannel.open(file, StandardOpenOption.WRITE)) {
      return lock.tryLock() != null;
    } catch (OverlappingFileLockException _) {
      return false; // this very process has it
    } catch (IOException _) {
      return false; // somebody else's, or just being made
    }
  }

  /// As far as it can be: it is no reason not to start, or not to end.
  private static void remove(Path folder) {
    try {
      FileSystemUtils.deleteRecursively(folder);
    } catch (IOException _) {
      // the next process tries again
    }
  }

  @Override
  public void close() {
    try (lock) {
      remove(folder);
    } catch (IOException _) {
      // it is free when the process has ended
    }
  }
}
