package dev.tuntas.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ScenarioCommandTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new ScenarioCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "calm | none of normal, no-callbacks",
        "normal --rate 0 | --rate must be between",
        "normal --minutes 0 | --minutes must be between",
        "normal --rate-limit 0 | --rate-limit must be between",
      })
  void what_makes_no_sense_is_refused_with_a_sentence(String arguments, String sentence) {
    assertThat(run(arguments.split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(sentence);
  }

  @Test
  void help_names_every_scenario() {
    assertThat(run("--help")).isZero();
    for (var scenario : Scenario.values()) assertThat(out.toString()).contains(scenario.word());
  }

  @Test
  void without_keys_a_server_is_not_asked() {
    assertThat(run("normal", "--real", "--data", "no-such-folder")).isOne();
    assertThat(err.toString()).contains("TUNTAS_CLIENT_KEY");
  }
}
