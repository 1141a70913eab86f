package dev.tuntas.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlowsTest {

  @Test
  void a_short_run_sees_every_kind_once() {
    var blows = new Blows(List.of(Blow.values()), 1);
    assertThat(drawn(blows, Blow.values().length)).containsExactlyInAnyOrder(Blow.values());
  }

  @Test
  void a_seed_draws_the_same_order_again() {
    var one = drawn(new Blows(List.of(Blow.values()), 7), 100);
    assertThat(drawn(new Blows(List.of(Blow.values()), 7), 100)).isEqualTo(one);
    assertThat(drawn(new Blows(List.of(Blow.values()), 8), 100)).isNotEqualTo(one);
  }

  @Test
  void afterwards_heavy_ones_come_more_often() {
    var blows = new Blows(List.of(Blow.KILL_WORKER, Blow.KILL_KAFKA), 3);
    var many = drawn(blows, 1_000);
    var workers = many.stream().filter(Blow.KILL_WORKER::equals).count();
    assertThat(workers).isBetween(800L, 950L);
  }

  private static List<Blow> drawn(Blows blows, int count) {
    var drawn = new ArrayList<Blow>();
    for (int i = 0; i < count; i++) drawn.add(blows.next());
    return drawn;
  }
}
