package dev.tuntas.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class ArgumentsTest {

  @Test
  void flags_may_be_written_with_a_space_or_an_equals_sign() {
    assertThat(
            Arguments.of("--port", "9000", "--data=/tmp/x", "--tuntas.saga.give-up=5m").forSpring())
        .containsExactly("--tuntas.port=9000", "--tuntas.data=/tmp/x", "--tuntas.saga.give-up=5m");
  }

  @Test
  void help_is_noticed_anywhere() {
    assertThat(Arguments.of("--port", "1", "--help").help()).isTrue();
    assertThat(Arguments.of("--port", "1").help()).isFalse();
  }

  @Test
  void what_is_no_flag_is_refused() {
    assertThatThrownBy(() -> Arguments.of("--prot", "9000"))
        .hasMessage("there is no option --prot; --help lists them");
    assertThatThrownBy(() -> Arguments.of("start")).hasMessageContaining("no option start");
    assertThatThrownBy(() -> Arguments.of("--port")).hasMessage("--port needs a value");
  }
}
