package dev.tuntas.testkit;

import static dev.tuntas.testkit.Entries.START;
import static dev.tuntas.testkit.Entries.resting;
import static dev.tuntas.testkit.Entries.running;
import static dev.tuntas.testkit.Entries.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.engine.SagaStore.Shape;
import dev.tuntas.engine.SagaStore.Unknown;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.StoreException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Numbers of definitions and lanes.
interface DefinitionRules extends StoreUnderTest {

  @Test
  default void a_definition_keeps_its_number_for_ever() {
    var ride = new Shape("ride", 1, "r1");
    var booking = new Shape("booking", 1, "b1");
    var first = store().register(List.of(ride, booking));
    assertThat(first).containsOnlyKeys(ride, booking);

    var checkout = new Shape("checkout", 1, "c1");
    assertThat(store().register(List.of(checkout, booking, ride))).containsAllEntriesOf(first);
    reopenStore();
    assertThat(store().register(List.of(booking, ride))).isEqualTo(first);
  }

  @Test
  default void every_definition_has_a_number_of_its_own() {
    var shapes =
        List.of(new Shape("ride", 1, "h"), new Shape("ride", 2, "h"), new Shape("tour", 1, "h"));
    var numbers = store().register(shapes);

    assertThat(numbers.values())
        .hasSize(3)
        .doesNotHaveDuplicates()
        .doesNotContain(kind(), otherKind());
  }

  @Test
  default void a_changed_shape_under_the_same_version_is_refused_and_nothing_is_registered() {
    var ride = new Shape("ride", 1, "r1");
    var number = store().register(List.of(ride)).get(ride);

    var changed = List.of(new Shape("tour", 1, "t1"), new Shape("ride", 1, "other"));
    assertThatThrownBy(() -> store().register(changed))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.BAD_DATA))
        .hasMessageContaining("ride");

    var tour = new Shape("tour", 1, "not the refused one");
    assertThat(store().register(List.of(tour))).containsOnlyKeys(tour);
    assertThat(store().register(List.of(ride))).containsEntry(ride, number);
  }

  @Test
  default void nothing_to_register_is_fine() {
    assertThat(store().register(List.of())).isEmpty();
    assertThat(store().lanes(List.of())).isEmpty();
  }

  @Test
  default void a_lane_keeps_its_number_for_ever() {
    var first = store().lanes(List.of("x", "y"));
    assertThat(first).containsOnlyKeys("x", "y");

    assertThat(store().lanes(List.of("z", "y", "x"))).containsAllEntriesOf(first);
    reopenStore();
    assertThat(store().lanes(List.of("y", "x"))).isEqualTo(first);
  }

  @Test
  default void the_empty_name_is_lane_0_and_every_other_has_its_own() {
    var numbers = store().lanes(List.of("x", "", "y"));

    assertThat(numbers).containsEntry("", 0);
    assertThat(numbers.values()).hasSize(3).doesNotHaveDuplicates();
    assertThat(numbers.values()).doesNotContain(lane(), otherLane());
    assertThat(store().lanes(List.of("bank"))).containsEntry("bank", lane());
  }

  @Test
  default void unfinished_sagas_of_unknown_definitions_are_counted() {
    assertThat(store().unknown(Set.of())).isEmpty();
    writeAll(
        alice(),
        running("running", otherKind()),
        waiting("waiting", otherKind(), lane(), START),
        resting("held", otherKind(), Status.HELD),
        resting("done", otherKind(), Status.DONE),
        resting("undone", otherKind(), Status.UNDONE),
        running("known", kind()));

    assertThat(store().unknown(Set.of(kind()))).containsExactly(new Unknown("order", 2, 3));
    assertThat(store().unknown(Set.of()))
        .containsExactlyInAnyOrder(new Unknown("order", 1, 1), new Unknown("order", 2, 3));
    assertThat(store().unknown(Set.of(kind(), otherKind()))).isEmpty();
  }
}
