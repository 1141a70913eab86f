package dev.tuntas.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A migration that was used never changes: whoever has its tables would be refused by the next
/// build. `migrations.txt` holds the checksum of each.
final class MigrationsTest {

  private static final Path ROOT = Path.of("..");
  private static final String LIST = "server/src/test/resources/migrations.txt";

  private final Map<String, String> listed = new TreeMap<>();
  private final Map<String, String> found = new TreeMap<>();

  @BeforeEach
  void read() throws Exception {
    for (var line : Files.readAllLines(ROOT.resolve(LIST))) {
      var words = line.split("  ");
      listed.put(words[1], words[0]);
    }
    try (var modules = Files.list(ROOT)) {
      for (var module : modules.toList()) findIn(module.resolve("src/main/resources"));
    }
  }

  private void findIn(Path resources) throws Exception {
    if (!Files.isDirectory(resources)) return;
    try (var files = Files.walk(resources)) {
      for (var file : files.filter(MigrationsTest::isMigration).toList()) {
        found.put(ROOT.relativize(file).toString().replace('\\', '/'), checksum(file));
      }
    }
  }

  private static boolean isMigration(Path file) {
    return file.getFileName().toString().matches("V\\d+__\\w+\\.sql");
  }

  private static String checksum(Path file) throws Exception {
    var text = Files.readString(file).replace("\r\n", "\n");
    var hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(hash);
  }

  @Test
  void no_migration_that_was_used_has_changed() {
    listed.forEach(
        (name, checksum) ->
            assertThat(found.get(name))
                .as(
                    "%s was changed or removed. A migration never changes once it was used: restore"
                        + " it (git checkout), and write what you want to change as the next"
                        + " version beside it.",
                    name)
                .isEqualTo(checksum));
  }

  @Test
  void every_migration_is_listed() {
    found.forEach(
        (name, checksum) ->
            assertThat(listed)
                .as("A new migration. Add this line to %s: %s  %s", LIST, checksum, name)
                .containsKey(name));
  }
}
