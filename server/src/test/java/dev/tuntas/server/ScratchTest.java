package dev.tuntas.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.server.settings.SettingsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ScratchTest {

  @TempDir Path parent;

  @Test
  void it_is_gone_when_it_is_closed() throws Exception {
    try (var scratch = Scratch.in(parent)) {
      Files.writeString(scratch.folder("native").resolve("code.so"), "x");
      assertThat(parent).isNotEmptyDirectory();
    }
    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void those_that_live_keep_theirs() {
    try (var one = Scratch.in(parent);
        var two = Scratch.in(parent)) {
      assertThat(one.folder("a")).isDirectory();
      assertThat(two.folder("a")).isDirectory();
    }
  }

  @Test
  void what_others_left_behind_is_removed_and_nothing_else() throws Exception {
    var left = Files.createDirectories(parent.resolve("tuntas-scratch-1/native"));
    Files.writeString(left.resolve("code.so"), "x");
    Files.createFile(parent.resolve("tuntas-scratch-1/lock"));
    var justBeingMade = Files.createDirectory(parent.resolve("tuntas-scratch-2"));
    var another = Files.createDirectory(parent.resolve("mine"));
    Files.createFile(another.resolve("lock"));

    Scratch.in(parent).close();
    assertThat(parent).isDirectoryContaining(justBeingMade::equals);
    assertThat(parent).isDirectoryContaining(another::equals);
    assertThat(left).doesNotExist();
  }

  @Test
  void a_place_that_cannot_be_written_is_named() {
    var nowhere = parent.resolve("nowhere");
    assertThatThrownBy(() -> Scratch.in(nowhere))
        .isInstanceOf(SettingsException.class)
        .hasMessageStartingWith("temporary files cannot be made in " + nowhere);
  }
}
