package dev.tuntas.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.store.Tables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A message that comes again, for whatever reason, has its effect once.
class OnceTest {

  private final TestClock clock = new TestClock();
  private final Tables tables = Tables.inMemory(MessageBook.TABLES);
  private final List<BusWatch.Layer> duplicates = new ArrayList<>();
  private final Set<String> fast = new HashSet<>();
  private final Once once =
      new Once(
          tables,
          "shelf",
          new Recent() {
            @Override
            public boolean seen(String id) {
              return fast.contains(id);
            }

            @Override
            public void remember(String id) {
              fast.add(id);
            }
          },
          new BusWatch() {
            @Override
            public void duplicate(Layer layer) {
              duplicates.add(layer);
            }
          },
          clock);

  @AfterEach
  void end() {
    tables.close();
  }

  private Message message(String id) {
    return CloudEvent.of(id, "/s", "THING", "ord_1", clock.instant(), Map.of())
        .message(false, null);
  }

  private Handler adding() {
    return once.writing(
        _ -> {},
        (session, event) ->
            session.update(
                "insert into bus_reply (key, kind, body, at) values (?, 'k', 'b', 0)", event.id()));
  }

  private long effects() {
    return tables.read(
        "count", s -> s.first("select count(*) from bus_reply", row -> row.getLong(1)).orElse(0L));
  }

  @Test
  void a_consumer_that_crashed_between_its_effect_and_its_offset_does_it_once() throws Exception {
    adding().take(message("e-1"));
    fast.clear(); // the fast memory went with the process
    adding().take(message("e-1"));

    assertThat(effects()).isEqualTo(1);
    assertThat(duplicates).containsExactly(BusWatch.Layer.DATABASE);
  }

  @Test
  void a_duplicate_that_the_fast_memory_knows_is_confirmed_by_the_database() throws Exception {
    adding().take(message("e-1"));
    adding().take(message("e-1"));
    assertThat(duplicates).containsExactly(BusWatch.Layer.REDIS);
  }

  @Test
  void a_fast_memory_that_is_wrong_hides_nothing() throws Exception {
    fast.add("shelf/e-1");
    adding().take(message("e-1"));
    assertThat(effects()).isEqualTo(1);
  }

  @Test
  void an_effect_that_fails_leaves_no_note_and_is_tried_again() throws Exception {
    var failing =
        once.writing(
            _ -> {},
            (_, _) -> {
              throw new IllegalStateException("not this time");
            });
    assertThatThrownBy(() -> failing.take(message("e-1")))
        .isInstanceOf(IllegalStateException.class);
    adding().take(message("e-1"));
    assertThat(effects()).isEqualTo(1);
  }

  @Test
  void an_action_elsewhere_is_noted_when_it_is_done() throws Exception {
    var done = new ArrayList<String>();
    var failing =
        once.performing(
            event -> {
              done.add(event.id());
              throw new NotNow("its answer did not get out", null);
            });
    assertThatThrownBy(() -> failing.take(message("e-1"))).isInstanceOf(NotNow.class);
    var working = once.performing(event -> done.add(event.id()));
    working.take(message("e-1"));
    working.take(message("e-1"));

    assertThat(done).containsExactly("e-1", "e-1");
  }

  @Test
  void another_queue_takes_the_same_message_too() throws Exception {
    adding().take(message("e-1"));
    var other = new Once(tables, "desk", Recent.NONE, BusWatch.NONE, clock);
    var heard = new ArrayList<String>();
    other.writing(_ -> {}, (_, event) -> heard.add(event.id())).take(message("e-1"));
    assertThat(heard).containsExactly("e-1");
  }

  @Test
  void what_was_taken_is_remembered_for_a_week() throws Exception {
    adding().take(message("e-1"));
    fast.clear();
    clock.pass(Duration.ofDays(7));
    Once.purge(tables, clock);
    adding().take(message("e-1"));
    assertThat(effects()).isEqualTo(1);

    clock.pass(Duration.ofMillis(1));
    Once.purge(tables, clock);
    var left = tables.read("look", s -> s.list("select 1 from bus_seen", row -> row.getInt(1)));
    assertThat(left).isEmpty();
  }

  @Test
  void a_message_that_is_no_event_is_refused_before_anything_is_done() {
    var broken = Message.event("e-1", "THING", "ord_1", "not JSON");
    assertThatThrownBy(() -> adding().take(broken)).isInstanceOf(Refused.class);
    assertThat(effects()).isZero();
  }
}
