package dev.tuntas.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.bench.StoreKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class HttpResultTest {

  private static final long MILLISECOND = 1_000_000;

  @Test
  void what_is_left_is_the_least_under_more_load_than_it_can_take() {
    var json = result(phase(0.5, 40), phase(1, 60), phase(2, 100), phase(5, 70), phase(10, 90));

    assertThat(json)
        .contains("\"goodput\":{\"0.5\":40,\"1\":60,\"2\":100,\"5\":70,\"10\":90}")
        .contains("\"goodput_kept\":0.7,\"goodput_kept_at_10\":0.9");
  }

  @Test
  void an_acceptance_that_comes_late_or_is_not_worked_off_is_no_good() {
    var late = phase(2, 50);
    for (int i = 0; i < 30; i++) late.tally().answered(202, Tally.USEFUL_NANOS + 1);
    var unfinished = phase(10, 80, 10);

    var goodput = JsonMapper.shared().readTree(result(phase(1, 60), late, unfinished));

    assertThat(goodput.at("/goodput/2").asInt()).isEqualTo(50);
    assertThat(goodput.at("/goodput/10").asInt()).isEqualTo(70);
  }

  private static String result(Phase... phases) {
    return new HttpResult(StoreKind.SQLITE, 80, List.of(phases)).json();
  }

  private static Phase phase(double factor, int accepted) {
    return phase(factor, accepted, 0);
  }

  /// One second of it.
  private static Phase phase(double factor, int accepted, double backlog) {
    var tally = new Tally();
    for (int i = 0; i < accepted; i++) tally.answered(202, MILLISECOND);
    var change = new Phase.Change(backlog, new Cpu.Used(0, 0));
    return new Phase(factor, 80 * factor, 1, tally, change, 0.05);
  }
}
