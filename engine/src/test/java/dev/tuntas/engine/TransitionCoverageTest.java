package dev.tuntas.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// Many lives by chance: every event in every progress, and what must hold at every decision. They
/// also draw docs/state-machine.md, which therefore cannot go out of date.
class TransitionCoverageTest {

  private static final int WALKS = 8_000;
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "."), "..", "docs", "state-machine.md");

  @Test
  void every_event_was_seen_in_every_progress_and_the_page_shows_what_followed()
      throws IOException {
    var page = new StateMachinePage();
    for (long seed = 0; seed < WALKS; seed++) Walk.by(seed, page::saw);
    assertThat(page.missing()).as("pairs that no walk visited").isEmpty();
    if (Boolean.getBoolean("tuntas.write-docs")) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, page.text());
    }
    assertThat(PAGE)
        .as("run with -Dtuntas.write-docs=true to write it again")
        .hasContent(page.text());
  }
}
