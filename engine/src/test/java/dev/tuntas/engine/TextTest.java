package dev.tuntas.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TextTest {

  @Test
  void nul_and_half_characters_become_question_marks() {
    assertThat(Text.clean("a\0b")).isEqualTo("a?b");
    assertThat(Text.clean("\uD800")).isEqualTo("?");
    assertThat(Text.clean("x\uDC00\uD800y")).isEqualTo("x??y");
  }

  @Test
  void everything_else_is_left_alone() {
    for (var text :
        new String[] {"", "plain", "line\nline\t", "grün 日本 😀", "\u0001\u007f\uFFFF"}) {
      assertThat(Text.clean(text)).isEqualTo(text);
    }
  }

  @Test
  void what_is_clean_can_be_stored_and_stays_as_it_is() {
    var random = new SplittableRandom(1);
    for (int round = 0; round < 5_000; round++) {
      var text = new StringBuilder();
      for (int i = random.nextInt(10); i > 0; i--) text.append((char) random.nextInt(65_536));
      var clean = Text.clean(text.toString());
      var bytes = clean.getBytes(StandardCharsets.UTF_8);
      assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo(clean).doesNotContain("\0");
      assertThat(Text.clean(clean)).isEqualTo(clean);
    }
  }
}
