package dev.tuntas.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokensTest {

  private static void survives(String value) {
    var line = new Tokens().add("a", value).add("b", "x").add("c", value).toString();
    var back = Tokens.parse(line);
    assertThat(back.get("a")).isEqualTo(value);
    assertThat(back.get("b")).isEqualTo("x");
    assertThat(back.get("c")).isEqualTo(value);
    assertThat(line.chars()).noneMatch(c -> c < 32 || c == 127 || (c >= 0xD800 && c < 0xE000));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "  a  ",
        "=",
        "a=b",
        ";",
        "a;b",
        "%",
        "%0041",
        "%%",
        "\0",
        "\n\r\t",
        "\u007f",
        "grün",
        "日本",
        "😀",
        "\uD800",
        "\uDC00",
        "\uDC00\uD800",
        "a=1 b=2",
        "\u2028",
        "\uFFFF"
      })
  void awkward_text_survives(String value) {
    survives(value);
  }

  @Test
  void any_text_survives() {
    var random = new SplittableRandom(1);
    for (int round = 0; round < 5_000; round++) {
      var value = new StringBuilder();
      int length = random.nextInt(12);
      for (int i = 0; i < length; i++) {
        value.append(
            (char) (random.nextInt(3) == 0 ? random.nextInt(65_536) : random.nextInt(128)));
      }
      survives(value.toString());
    }
  }

  @Test
  void a_person_can_read_it() {
    assertThat(
            new Tokens().add("at", "sent").add("n", 1).add("why", null).add("x", "a b").toString())
        .isEqualTo("at=sent n=1 x=a%0020b");
  }

  @Test
  void what_is_missing_is_named() {
    var tokens = Tokens.parse("a=1");
    assertThat(tokens.find("b")).isNull();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tokens.get("b"))
        .withMessage("'b' is missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a b=1", "a=%", "a=%00", "a=%zzzz"})
  void what_is_no_such_line_is_refused(String line) {
    assertThatIllegalArgumentException().isThrownBy(() -> Tokens.parse(line));
  }
}
