package dev.tuntas.server.access;

import dev.tuntas.server.settings.SettingsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/// `credentials.properties`: readable for its owner only, or not read at all.
record CredentialsFile(Path path) {

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  boolean exists() {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  Properties read() {
    var properties = new Properties();
    if (!exists()) return properties;
    refuseIfOpenToOthers();
    try (var reader = Files.newBufferedReader(path)) {
      properties.load(reader);
      return properties;
    } catch (IOException | IllegalArgumentException e) {
      throw new SettingsException(path + " cannot be read: " + e.getMessage());
    }
  }

  private void refuseIfOpenToOthers() {
    try {
      var others = EnumSet.copyOf(Files.getPosixFilePermissions(path));
      others.removeAll(PosixFilePermissions.fromString("rwx------"));
      if (!others.isEmpty()) {
        throw new SettingsException(
            path + " can be read by others than its owner; chmod 600 closes it");
      }
    } catch (UnsupportedOperationException _) {
      // no such permissions on this system
    } catch (IOException e) {
      throw new SettingsException(path + " cannot be read: " + e.getMessage());
    }
  }

  /// Writes all of it or nothing.
  void write(Map<String, String> values) {
    var text = new StringBuilder("# Made by Tuntas. Whoever reads this can call the server.\n");
    values.forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    var unfinished = path.resolveSibling(path.getFileName() + ".new");
    try {
      Files.createDirectories(path.toAbsolutePath().getParent());
      Files.deleteIfExists(unfinished);
      createForOwner(unfinished);
      Files.writeString(unfinished, text);
      Files.move(
          unfinished, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("write " + path, e);
    }
  }

  private static void createForOwner(Path file) throws IOException {
    try {
      Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    } catch (UnsupportedOperationException _) {
      Files.createFile(file);
    }
  }
}
