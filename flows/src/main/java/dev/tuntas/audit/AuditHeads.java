package dev.tuntas.audit;

import dev.tuntas.audit.Audit.Head;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The heads of the audit log, kept outside of the database: in a file, and in the program's log.
/// An audit log that was cut off or written anew does not agree with them.
public final class AuditHeads {

  private static final Logger log = LoggerFactory.getLogger(AuditHeads.class);

  private final Path file;
  private Head last = new Head(0, "");

  public AuditHeads(Path file) {
    this.file = file;
  }

  /// Keeps a head, if it is newer than the one kept last.
  public synchronized void keep(Head head) {
    if (head.seq() <= last.seq()) return;
    try {
      var folder = file.toAbsolutePath().getParent();
      if (folder != null) Files.createDirectories(folder);
      Files.writeString(
          file,
          head.seq() + " " + head.hash() + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("keep the head of the audit log", e);
    }
    log.info("The audit log is at entry {} with hash {}", head.seq(), head.hash());
    last = head;
  }

  /// Those kept so far. A line that was written half-way is left out.
  List<Head> kept() {
    try {
      return Files.readAllLines(file).stream()
          .map(line -> line.split(" ", 2))
          .filter(words -> words.length == 2 && words[1].length() == 64)
          .map(words -> new Head(Long.parseLong(words[0]), words[1]))
          .toList();
    } catch (NoSuchFileException _) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException("read the heads of the audit log", e);
    }
  }
}
