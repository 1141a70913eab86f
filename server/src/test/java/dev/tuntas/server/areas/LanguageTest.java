package dev.tuntas.server.areas;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LanguageTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "en|ENGLISH",
        "en-US,en;q=0.9|ENGLISH",
        "de, en;q=0.5|ENGLISH",
        "id, en;q=0.9|INDONESIAN",
        "id-ID|INDONESIAN",
        "en;q=0.1, id;q=0.9|INDONESIAN",
        "*|INDONESIAN",
        "de|INDONESIAN",
        ";;q=x|INDONESIAN",
      })
  void indonesian_unless_english_is_preferred(String header, Language expected) {
    assertThat(Language.preferred(header)).isEqualTo(expected);
  }

  @Test
  void without_a_header_it_is_indonesian() {
    assertThat(Language.preferred(null)).isEqualTo(Language.INDONESIAN);
    assertThat(Language.preferred("en,".repeat(1_000))).isEqualTo(Language.INDONESIAN);
  }
}
