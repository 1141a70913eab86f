package dev.tuntas.testkit;

import static dev.tuntas.testkit.Entries.START;
import static dev.tuntas.testkit.Entries.resting;
import static dev.tuntas.testkit.Entries.rests;
import static dev.tuntas.testkit.Entries.running;
import static dev.tuntas.testkit.Entries.runs;
import static dev.tuntas.testkit.Entries.seconds;
import static dev.tuntas.testkit.Entries.settling;
import static dev.tuntas.testkit.Entries.signal;
import static dev.tuntas.testkit.Entries.sleeps;
import static dev.tuntas.testkit.Entries.waiting;
import static dev.tuntas.testkit.StoreUnderTest.ids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write.Applied;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// An unapplied inbox row is itself the wake-up of its saga.
interface WakeUpRules extends StoreUnderTest {

  private List<String> woken(int limit) {
    return ids(store().claimSignalled(bob(), Set.of(kind()), limit));
  }

  @Test
  default void a_signal_wakes_sagas_that_wait_and_sagas_at_rest() {
    writeAll(
        alice(),
        waiting("W", kind(), lane(), seconds(60)),
        resting("H", kind(), Status.HELD),
        resting("D", kind(), Status.DONE),
        resting("U", kind(), Status.UNDONE),
        waiting("quiet", kind(), lane(), seconds(60)));
    for (var id : List.of("W", "H", "D", "U")) store().put(id, signal(id), START);

    assertThat(woken(ALL)).containsExactlyInAnyOrder("W", "H", "D", "U");
    assertThat(woken(ALL)).isEmpty();
  }

  @Test
  default void a_woken_saga_runs_under_its_new_owner_at_the_same_version() {
    writeAll(alice(), waiting("s", kind(), lane(), seconds(60)));
    store().put("s", signal("x"), START);

    var woken = store().claimSignalled(bob(), Set.of(kind()), 1).getFirst();

    assertThat(woken).isEqualTo(row("s"));
    assertThat(woken.status()).isEqualTo(Status.RUNNING);
    assertThat(woken.owner()).isEqualTo(bob());
    assertThat(woken.dueAt()).isNull();
    assertThat(woken.version()).isEqualTo(1);
    assertThat(store().pending(bob(), ALL)).hasSize(1);
    assertThat(write(bob(), runs("s", 1))).isTrue();
  }

  @Test
  default void a_woken_saga_is_no_longer_due() {
    writeAll(alice(), waiting("s", kind(), lane(), START));
    store().put("s", signal("x"), START);

    assertThat(woken(ALL)).containsExactly("s");
    assertThat(store().claimDue(alice(), lane(), Set.of(kind()), seconds(9), ALL, ALL)).isEmpty();
  }

  @Test
  default void a_saga_that_somebody_owns_is_not_woken_until_it_sleeps() {
    writeAll(alice(), running("s", kind()));
    store().put("s", signal("x"), START);
    assertThat(woken(ALL)).isEmpty();

    writeAll(alice(), sleeps("s", 1, lane(), seconds(60)));
    assertThat(woken(ALL)).containsExactly("s");
  }

  @Test
  default void a_saga_is_woken_until_everything_is_applied() {
    writeAll(alice(), running("s", kind()));
    long x = tell(alice(), "s", "x");
    long y = tell(alice(), "s", "y");

    writeAll(alice(), settling(rests("s", 1, Status.DONE), new Applied(x, "used")));
    assertThat(woken(ALL)).containsExactly("s");

    writeAll(bob(), settling(rests("s", 2, Status.DONE), new Applied(y, "late")));
    assertThat(woken(ALL)).isEmpty();
  }

  @Test
  default void an_early_signal_wakes_its_saga_once_that_exists_and_sleeps() {
    store().put("s", signal("x"), START);
    assertThat(woken(ALL)).isEmpty();

    writeAll(alice(), running("s", kind()));
    assertThat(woken(ALL)).isEmpty();
    assertThat(store().pending(alice(), ALL)).hasSize(1);

    writeAll(alice(), sleeps("s", 1, lane(), seconds(60)));
    assertThat(woken(ALL)).containsExactly("s");
  }

  @Test
  default void an_early_signal_wakes_a_saga_that_is_inserted_asleep() {
    store().put("s", signal("x"), START);
    writeAll(alice(), waiting("s", kind(), lane(), seconds(60)));

    assertThat(woken(ALL)).containsExactly("s");
  }

  @Test
  default void only_known_kinds_are_woken() {
    writeAll(
        alice(),
        waiting("known", kind(), lane(), seconds(60)),
        waiting("unknown", otherKind(), lane(), seconds(60)));
    store().put("unknown", signal("x"), START);
    store().put("known", signal("y"), START);

    assertThat(store().claimSignalled(bob(), Set.of(), ALL)).isEmpty();
    assertThat(woken(1)).containsExactly("known");
    assertThat(ids(store().claimSignalled(bob(), Set.of(otherKind()), ALL)))
        .containsExactly("unknown");
  }

  @Test
  default void no_more_than_the_limit_is_woken_and_a_saga_only_once() {
    for (var id : List.of("a", "b", "c")) {
      writeAll(alice(), resting(id, kind(), Status.HELD));
      store().put(id, signal(id + "1"), START);
      store().put(id, signal(id + "2"), START);
    }

    assertThat(woken(0)).isEmpty();
    assertThat(woken(2)).hasSize(2).doesNotHaveDuplicates();
    assertThat(woken(2)).hasSize(1);
    assertThat(store().pending(bob(), ALL)).hasSize(6);
  }
}
