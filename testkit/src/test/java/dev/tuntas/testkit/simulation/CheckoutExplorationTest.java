package dev.tuntas.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.testkit.checkout.CheckoutWorld;
import dev.tuntas.testkit.checkout.CheckoutWorld.Variant;
import org.junit.jupiter.api.Test;

class CheckoutExplorationTest {

  private static final Variant PLAIN = new Variant(false, false, false, false, false);

  @Test
  void a_crash_or_a_lost_reply_at_any_point_loses_nothing() {
    var exploration =
        Exploration.in((outside, random) -> new CheckoutWorld(PLAIN, outside, random))
            .crashEverywhere();
    assertThat(exploration.tally().runs()).isGreaterThan(20);
  }

  @Test
  void seeds_with_all_faults_keep_every_promise() {
    var exploration = Exploration.in(CheckoutWorld::new).seeds(300);
    assertThat(exploration.tally().sagas()).isGreaterThan(300);
  }
}
