import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;

/// Formats every Java file of the project, or with `--check` only says which ones it would change.
/// A run that leaves nothing to change leaves the file `CLEAN`, without which the build fails. The
/// next run skips sources older than that, unless the build itself (so maybe the formatter)
/// changed.
final class Format {

  private static final Path CLEAN = Path.of("target", "formatter", "clean");
  private static final FileTime NEVER = FileTime.fromMillis(0);

  private Format() {}

  public static void main(String[] args) throws IOException {
    boolean check = List.of(args).contains("--check");
    Instant start = Instant.now();
    List<Path> changed =
        javaFiles().parallelStream().filter(file -> differs(file, check)).sorted().toList();
    changed.forEach(file -> IO.println((check ? "not formatted: " : "formatted: ") + file));
    if (check && !changed.isEmpty()) {
      Files.deleteIfExists(CLEAN);
    } else {
      Files.createDirectories(CLEAN.getParent());
      Files.writeString(CLEAN, "");
      Files.setLastModifiedTime(CLEAN, FileTime.from(start));
    }
  }

  private static List<Path> javaFiles() throws IOException {
    FileTime clean = modified(CLEAN);
    FileTime since = clean.compareTo(modified(Path.of("pom.xml"))) > 0 ? clean : NEVER;
    try (var files =
        Files.find(
            Path.of(""),
            32,
            (path, attributes) ->
                path.toString().endsWith(".java")
                    && attributes.isRegularFile()
                    && attributes.lastModifiedTime().compareTo(since) >= 0)) {
      return files.filter(path -> !path.toString().contains("/target/")).toList();
    }
  }

  private static FileTime modified(Path file) throws IOException {
    return Files.exists(file) ? Files.getLastModifiedTime(file) : NEVER;
  }

  private static boolean differs(Path file, boolean check) {
    try {
      String before = Files.readString(file);
      String after = new Formatter().formatSourceAndFixImports(before);
      if (!check && !before.equals(after)) {
        Files.writeString(file, after);
      }
      return !before.equals(after);
    } catch (FormatterException e) {
      throw new IllegalStateException(file + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
