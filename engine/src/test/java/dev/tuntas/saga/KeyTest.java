package dev.tuntas.saga;

import static dev.tuntas.saga.Sample.call;
import static dev.tuntas.saga.Sample.undoable;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeyTest {

  @Test
  void a_key_is_made_of_saga_step_and_direction() {
    assertThat(undoable("pay").keyFor("o-1")).isEqualTo("o-1/pay/do");
    assertThat(undoable("pay").undoKeyFor("o-1")).isEqualTo("o-1/pay/undo");
  }

  @Test
  void an_author_may_name_the_keys() {
    var pay = undoable("pay").key("charge-{id}").undoKey("refund-{id}");
    assertThat(pay.keyFor("CCT-20260109A")).isEqualTo("charge-CCT-20260109A");
    assertThat(pay.undoKeyFor("CCT-20260109A")).isEqualTo("refund-CCT-20260109A");
  }

  @Test
  void an_id_that_looks_like_a_pattern_is_taken_literally() {
    assertThat(undoable("pay").key("charge-{id}").keyFor("$1\\{id}")).isEqualTo("charge-$1\\{id}");
  }

  @Test
  void what_asks_is_the_probe_or_the_action_again_or_nobody() {
    Action<String> probe = (data, call) -> Outcome.absent("nothing");
    var pay = call("pay");
    assertThat(pay.asker()).isSameAs(pay.action());
    assertThat(pay.asksByRepeating()).isTrue();
    assertThat(pay.ifUnclearAsk(probe).asker()).isSameAs(probe);
    assertThat(pay.ifUnclearAsk(probe).asksByRepeating()).isFalse();
    assertThat(pay.unrepeatable().asker()).isNull();
    assertThat(pay.unrepeatable().ifUnclearAsk(probe).asker()).isSameAs(probe);
    assertThat(Sample.waiting("job").asker()).isNull();
  }
}
