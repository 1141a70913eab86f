package dev.tuntas.engine;

import static dev.tuntas.engine.GroupCommit.Fate.REFUSED;
import static dev.tuntas.engine.GroupCommit.Fate.UNSTORABLE;
import static dev.tuntas.engine.GroupCommit.Fate.WRITTEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.GroupCommit.Fate;
import dev.tuntas.engine.GroupCommit.Flushed;
import dev.tuntas.saga.Notice;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class GroupCommitTest {

  private static final int NODE = 3;
  private static final int BATCH_MAX = 8;

  private final Rows rows = new Rows();
  private final Map<String, Fate> fates = new LinkedHashMap<>();
  private final GroupCommit commits =
      new GroupCommit(
          ScriptedStore.of(rows), NODE, BATCH_MAX, () -> Story.START, EngineListener.NONE);

  /// The part of a store that commits: an id is written once, text with "bad" never.
  public static final class Rows {
    private final Set<String> written = new HashSet<>();
    private final List<List<String>> batches = new ArrayList<>();
    private final Deque<Runnable> before = new ArrayDeque<>();
    private final Deque<Runnable> after = new ArrayDeque<>();
    private final Set<String> locked = new HashSet<>();

    public BitSet commit(int node, List<Write> batch) {
      batches.add(batch.stream().map(Write::id).toList());
      if (new HashSet<>(batches.getLast()).size() < batch.size()) {
        throw new IllegalArgumentException("a saga is twice in one batch");
      }
      if (!before.isEmpty()) before.poll().run();
      if (batch.stream().anyMatch(write -> write.id().contains("bad"))) {
        throw new StoreException(StoreException.Kind.BAD_DATA, "commit", null);
      }
      if (batch.stream().anyMatch(write -> locked.contains(write.id()))) {
        throw new StoreException(StoreException.Kind.BLOCKED, "commit", null);
      }
      var done = new BitSet();
      for (int i = 0; i < batch.size(); i++) done.set(i, written.add(batch.get(i).id()));
      if (!after.isEmpty()) after.poll().run();
      return done;
    }

    public BitSet wrote(int node, List<Write> batch) {
      var done = new BitSet();
      for (int i = 0; i < batch.size(); i++) done.set(i, written.contains(batch.get(i).id()));
      return done;
    }
  }

  private static Runnable fails(StoreException.Kind kind) {
    return () -> {
      throw new StoreException(kind, "commit", null);
    };
  }

  private void submit(String... ids) {
    for (var id : ids) submit(write(id, List.of()));
  }

  private void submit(Write write) {
    commits.submit(
        write, fate -> assertThat(fates.put(write.id(), fate)).as("settled once").isNull());
  }

  private static Write write(String id, List<Notice> notices) {
    return new Write.Move(
        id,
        1,
        Status.RUNNING,
        0,
        null,
        null,
        "at=done",
        null,
        "x",
        notices,
        List.of(),
        Story.START);
  }

  private void flushAll() {
    for (int i = 0; i < 1_000 && commits.flush() != Flushed.NOTHING; i++) {}
    assertThat(commits.waiting()).isZero();
  }

  @Test
  void nothing_to_write_is_nothing_done() {
    assertThat(commits.flush()).isEqualTo(Flushed.NOTHING);
    assertThat(rows.batches).isEmpty();
  }

  @Test
  void what_arrived_meanwhile_is_one_batch() {
    submit("a", "b", "c");
    assertThat(commits.waiting()).isEqualTo(3);
    assertThat(fates).isEmpty();
    assertThat(commits.flush()).isEqualTo(Flushed.SOME);
    assertThat(rows.batches).containsExactly(List.of("a", "b", "c"));
    assertThat(fates).isEqualTo(Map.of("a", WRITTEN, "b", WRITTEN, "c", WRITTEN));
    assertThat(commits.waiting()).isZero();
  }

  @Test
  void no_batch_is_larger_than_its_limit() {
    IntStream.range(0, 2 * BATCH_MAX + 1).forEach(i -> submit("s" + i));
    flushAll();
    assertThat(rows.batches).extracting(List::size).containsExactly(BATCH_MAX, BATCH_MAX, 1);
  }

  @Test
  void two_starts_of_one_id_are_never_in_one_batch() {
    submit("a", "b");
    commits.submit(write("a", List.of()), fate -> fates.put("a again", fate));
    flushAll();
    assertThat(rows.batches).containsExactly(List.of("a", "b"), List.of("a"));
    assertThat(fates).isEqualTo(Map.of("a", WRITTEN, "b", WRITTEN, "a again", REFUSED));
  }

  @Test
  void what_the_store_does_not_change_is_refused() {
    rows.written.add("a"); // another owner made that version
    submit("a", "b");
    flushAll();
    assertThat(fates).isEqualTo(Map.of("a", REFUSED, "b", WRITTEN));
  }

  @Test
  void one_bad_entry_is_found_by_halving_and_fails_alone() {
    submit("a", "b", "c", "d", "e", "bad", "g", "h");
    flushAll();
    assertThat(fates).containsEntry("bad", UNSTORABLE).hasSize(8);
    assertThat(fates.values()).filteredOn(fate -> fate == WRITTEN).hasSize(7);
    assertThat(rows.batches.size()).isLessThanOrEqualTo(7); // 8, 4, 4, 2, 1, 1, 2
  }

  @Test
  void several_bad_entries_are_all_found() {
    submit("bad1", "b", "c", "bad2", "bad3", "f");
    flushAll();
    assertThat(fates.values()).filteredOn(fate -> fate == UNSTORABLE).hasSize(3);
    assertThat(fates.values()).filteredOn(fate -> fate == WRITTEN).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource(names = {"NOT_DONE", "UNUSABLE"})
  void what_was_not_committed_is_sent_again_unchanged(StoreException.Kind kind) {
    rows.before.add(fails(kind));
    submit("a", "b");
    assertThat(commits.flush()).isEqualTo(Flushed.FAILED);
    assertThat(fates).isEmpty();
    submit("c");
    flushAll();
    assertThat(rows.batches).containsExactly(List.of("a", "b"), List.of("a", "b"), List.of("c"));
    assertThat(fates.values()).containsOnly(WRITTEN).hasSize(3);
  }

  @Test
  void an_unknown_commit_that_took_effect_is_written() {
    rows.after.add(fails(StoreException.Kind.UNKNOWN));
    submit("a", "b");
    assertThat(commits.flush()).isEqualTo(Flushed.FAILED);
    assertThat(fates).as("its fate is not known yet").isEmpty();
    flushAll();
    assertThat(rows.batches).containsExactly(List.of("a", "b"), List.of("a", "b"));
    assertThat(fates.values()).containsOnly(WRITTEN).hasSize(2);
  }

  @Test
  void an_unknown_commit_that_took_no_effect_is_written_by_the_second() {
    rows.before.add(fails(StoreException.Kind.UNKNOWN));
    submit("a", "b");
    flushAll();
    assertThat(fates.values()).containsOnly(WRITTEN).hasSize(2);
  }

  @Test
  void a_blocked_batch_is_split_so_that_the_others_need_not_wait() {
    rows.before.add(fails(StoreException.Kind.BLOCKED));
    rows.before.add(() -> {});
    rows.before.add(fails(StoreException.Kind.BLOCKED));
    submit("a", "b", "c", "d");
    flushAll();
    assertThat(rows.batches)
        .containsExactly(
            List.of("a", "b", "c", "d"),
            List.of("a", "b"),
            List.of("c", "d"),
            List.of("c"),
            List.of("d"));
    assertThat(fates.values()).containsOnly(WRITTEN).hasSize(4);
  }

  @Test
  void of_many_that_are_blocked_most_are_through_after_one_more_attempt() {
    rows.locked.add("s7");
    submitMany(100, "s");
    flushLarge(10);
    assertThat(fates).hasSize(90).doesNotContainKey("s7");
    flushLarge(10);
    assertThat(fates).hasSize(99).doesNotContainKey("s7");
    assertThat(rows.batches).hasSize(21);
  }

  private void flushLarge(int times) {
    large.flush();
    for (int i = 0; i < times; i++) large.flush();
  }

  /// Rows that stay locked, as a writer meets them: each attempt lasts as long as it may wait for a
  /// lock.
  @Test
  void however_many_are_locked_one_writer_is_free_for_the_others() {
    rows.locked.addAll(List.of("locked0", "locked1", "locked2"));
    submitMany(3, "locked");
    flushLarge(3);
    assertThat(fates).isEmpty();

    now = now.plusSeconds(1);
    rows.before.add(
        () -> {
          assertThat(large.flush())
              .as("nothing but locked ones is left")
              .isEqualTo(Flushed.NOTHING);
          submitMany(1, "free");
          assertThat(large.flush()).isEqualTo(Flushed.SOME);
        });
    large.flush();
    assertThat(fates).containsOnlyKeys("free0");
    assertThat(large.oldest()).as("they wait").isEqualTo(Duration.ofSeconds(1));
    assertThat(large.standsStill()).as("and hold up nobody").isZero();

    rows.locked.clear();
    now = now.plusSeconds(10);
    flushLarge(2);
    assertThat(fates).hasSize(4);
    assertThat(large.waiting()).isZero();
    assertThat(large.oldest()).isZero();
  }

  /// A connection that is lost meanwhile changes nothing about that.
  @Test
  void also_one_that_failed_otherwise_meanwhile_is_waited_for_by_one_writer() {
    rows.locked.addAll(List.of("locked0", "locked1", "locked2"));
    submitMany(3, "locked");
    flushLarge(3);
    now = now.plusSeconds(1);
    rows.before.add(fails(StoreException.Kind.NOT_DONE));
    large.flush();
    now = now.plusSeconds(10);
    int attempts = rows.batches.size();
    rows.before.add(() -> assertThat(large.flush()).isEqualTo(Flushed.NOTHING));
    large.flush();
    rows.before.add(() -> assertThat(large.flush()).isEqualTo(Flushed.NOTHING));
    large.flush();
    assertThat(rows.batches).hasSize(attempts + 2);
  }

  @Test
  void a_lock_on_everything_is_a_standstill_and_one_on_a_row_is_none() {
    rows.locked.addAll(List.of("s0", "t0", "u0"));
    submitMany(1, "s");
    large.flush();
    now = now.plusSeconds(60);
    assertThat(large.standsStill()).isZero();
    submitMany(1, "t");
    flushLarge(1);
    submitMany(1, "u");
    flushLarge(2);
    now = now.plusSeconds(5);
    assertThat(large.standsStill()).isGreaterThan(Duration.ofSeconds(5));
    submitMany(1, "free");
    flushLarge(3);
    assertThat(fates).containsOnlyKeys("free0");
    assertThat(large.standsStill()).isZero();
  }

  /// Whoever waits for a lock on a table has waited for some seconds when that becomes known.
  @Test
  void a_standstill_began_when_the_first_of_them_came() {
    rows.locked.addAll(List.of("s0", "t0", "u0"));
    for (var name : List.of("s", "t", "u")) {
      rows.before.add(() -> now = now.plusSeconds(1));
      submitMany(1, name);
      flushLarge(1);
    }
    assertThat(large.standsStill()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void what_stays_locked_is_tried_less_and_less_often_and_never_given_up() {
    rows.locked.add("s0");
    submitMany(1, "s");
    for (int tenth = 0; tenth < 600; tenth++) {
      large.flush();
      now = now.plusMillis(100);
    }
    assertThat(rows.batches.size()).isBetween(12, 16);
    rows.locked.clear();
    now = now.plusMillis(6_400);
    large.flush();
    assertThat(fates).isEqualTo(Map.of("s0", WRITTEN));
  }

  @Test
  void it_stands_still_while_something_waits_and_nothing_is_written() {
    assertThat(large.standsStill()).isZero();
    rows.before.add(fails(StoreException.Kind.NOT_DONE));
    submitMany(1, "s");
    large.flush();
    now = now.plusSeconds(4);
    assertThat(large.standsStill()).isEqualTo(Duration.ofSeconds(4));
    assertThat(large.oldest()).isEqualTo(Duration.ofSeconds(4));
    rows.before.add(
        () -> {
          now = now.plusSeconds(3);
          assertThat(large.standsStill()).as("also in a commit that hangs").hasSeconds(7);
        });
    large.flush();
    assertThat(large.standsStill()).isZero();
    assertThat(large.oldest()).isZero();
  }

  @Test
  void doubt_lasts_over_further_failures() {
    rows.after.add(fails(StoreException.Kind.UNKNOWN));
    rows.before.add(() -> {});
    rows.before.add(fails(StoreException.Kind.NOT_DONE));
    submit("a");
    flushAll();
    assertThat(rows.batches).hasSize(3);
    assertThat(fates).isEqualTo(Map.of("a", WRITTEN));
  }

  @Test
  void what_was_refused_before_the_doubt_is_not_made_written_by_it() {
    // The version was made by another node: wrote() knows only what this node made.
    rows.before.add(fails(StoreException.Kind.UNKNOWN));
    var byOthers = new OthersRows();
    var strict =
        new GroupCommit(
            ScriptedStore.of(byOthers), NODE, BATCH_MAX, () -> Story.START, EngineListener.NONE);
    strict.submit(write("a", List.of()), fate -> fates.put("a", fate));
    strict.flush();
    strict.flush();
    assertThat(fates).isEqualTo(Map.of("a", REFUSED));
  }

  /// A store in which another node made every version; its first commit is lost.
  public static final class OthersRows {
    private boolean lost;

    public BitSet commit(int node, List<Write> batch) {
      if (lost) return new BitSet();
      lost = true;
      throw new StoreException(StoreException.Kind.UNKNOWN, "commit", null);
    }

    public BitSet wrote(int node, List<Write> batch) {
      return new BitSet();
    }
  }

  @Test
  void a_surprise_counts_as_unknown() {
    rows.after.add(
        () -> {
          throw new IllegalStateException("nobody planned for this");
        });
    submit("a");
    assertThat(commits.flush()).isEqualTo(Flushed.FAILED);
    flushAll();
    assertThat(fates).isEqualTo(Map.of("a", WRITTEN));
  }

  private static final int SURPRISES_MAX = 10;

  private static Runnable surprises() {
    return () -> {
      throw new IllegalStateException("nobody planned for this");
    };
  }

  @Test
  void what_surprises_again_and_again_is_unstorable() {
    for (int i = 0; i < SURPRISES_MAX; i++) rows.before.add(surprises());
    submit("a");
    flushAll();
    assertThat(fates).isEqualTo(Map.of("a", UNSTORABLE));
    assertThat(commits.waiting()).isZero();
  }

  @Test
  void what_was_written_is_not_unstorable_whatever_surprises_follow() {
    rows.after.add(surprises());
    for (int i = 1; i < SURPRISES_MAX; i++) rows.before.add(surprises());
    submit("a");
    flushAll();
    assertThat(fates).isEqualTo(Map.of("a", WRITTEN));
    assertThat(commits.waiting()).isZero();
  }

  @Test
  void a_bug_after_one_entry_does_not_hurt_the_others() {
    commits.submit(
        write("a", List.of()),
        fate -> {
          throw new IllegalStateException("bug");
        });
    submit("b");
    flushAll();
    assertThat(fates).isEqualTo(Map.of("b", WRITTEN));
    assertThat(rows.batches).hasSize(1);
  }

  @Test
  void the_writers_are_rung_for_entries_and_the_relay_for_notices() {
    var rung = new ArrayList<String>();
    commits.onSubmit(() -> rung.add("writers"));
    commits.onNotices(() -> rung.add("relay"));
    submit("a");
    flushAll();
    submit(write("b", List.of(new Notice("done", "{}"))));
    flushAll();
    assertThat(rung).containsExactly("writers", "writers", "relay");
  }

  // Beside a commit that is under way

  private Instant now = Story.START;

  private final GroupCommit large =
      new GroupCommit(ScriptedStore.of(rows), NODE, 1_000, () -> now, EngineListener.NONE);

  private void submitMany(int count, String name) {
    for (int i = 0; i < count; i++) {
      var id = name + i;
      large.submit(write(id, List.of()), fate -> fates.put(id, fate));
    }
  }

  /// What a second writer does while the first is in the store.
  private Flushed beside(Runnable meanwhile) {
    submitMany(1, "first");
    var second = new AtomicReference<Flushed>();
    rows.before.add(
        () -> {
          meanwhile.run();
          second.set(large.flush());
        });
    large.flush();
    return second.get();
  }

  @Test
  void a_few_entries_are_left_to_the_writer_that_is_at_it() {
    assertThat(beside(() -> submitMany(47, "s"))).isEqualTo(Flushed.NOTHING);
    assertThat(large.waiting()).isEqualTo(47);
    assertThat(large.flush()).isEqualTo(Flushed.SOME);
    assertThat(fates).hasSize(48).containsEntry("s46", WRITTEN);
  }

  @Test
  void what_came_meanwhile_or_failed_is_left() {
    assertThat(large.isLeft()).isFalse();
    beside(() -> submitMany(1, "s"));
    assertThat(large.isLeft()).as("s came meanwhile").isTrue();
    large.flush();
    assertThat(large.isLeft()).isFalse();
    rows.before.add(fails(StoreException.Kind.NOT_DONE));
    submitMany(1, "t");
    large.flush();
    assertThat(large.isLeft()).as("t failed").isTrue();
    large.flush();
    assertThat(large.isLeft()).isFalse();
  }

  @Test
  void one_that_is_being_written_and_one_that_failed_are_not_alone_with_the_next() {
    submitMany(1, "s");
    assertThat(large.isOne()).isTrue();
    submitMany(1, "t");
    assertThat(large.isOne()).isFalse();
    rows.before.add(() -> assertThat(large.isOne()).isFalse());
    large.flush();
    assertThat(fates).hasSize(2);
    rows.before.add(fails(StoreException.Kind.NOT_DONE));
    submitMany(1, "u");
    large.flush();
    submitMany(1, "v");
    assertThat(large.isOne()).isFalse();
  }

  @Test
  void many_entries_are_worth_a_commit_of_their_own() {
    assertThat(beside(() -> submitMany(48, "s"))).isEqualTo(Flushed.SOME);
    assertThat(rows.batches).hasSize(2);
    assertThat(fates).hasSize(49).containsEntry("first0", WRITTEN);
  }

  @Test
  void nobody_waits_long_for_a_commit_that_hangs() {
    var second =
        beside(
            () -> {
              submitMany(1, "s");
              now = now.plusMillis(50);
            });
    assertThat(second).isEqualTo(Flushed.SOME);
    assertThat(fates).hasSize(2).containsEntry("s0", WRITTEN);
  }

  @Test
  void writers_are_woken_only_when_there_is_something_for_them() {
    var rings = new AtomicInteger();
    large.onSubmit(rings::incrementAndGet);
    beside(
        () -> {
          submitMany(47, "s");
          assertThat(rings).as("the first one rang").hasValue(1);
          submitMany(1, "enough");
          assertThat(rings).hasValue(2);
        });
  }

  @Test
  void large_batches_are_settled_elsewhere_and_wait_until_then() {
    var later = new ArrayDeque<Runnable>();
    large.settleOn(later::add);
    submitMany(9, "s");
    assertThat(large.flush()).isEqualTo(Flushed.SOME);
    assertThat(large.waiting()).isEqualTo(9);
    assertThat(fates).isEmpty();

    later.remove().run();
    assertThat(large.waiting()).isZero();
    assertThat(fates).hasSize(9).containsEntry("s8", WRITTEN);
  }

  // Errors at any moment

  /// Where an error comes from.
  enum Place {
    CLOCK,
    LISTENER,
    STORE_BEFORE,
    STORE_AFTER,
    WROTE,
    SETTLER,
    SETTLED,
    WRITERS_BELL,
    RELAYS_BELL
  }

  /// One that nobody plans for; see the lists of those that are caught.
  private static final class Unplanned extends Error {
    private static final long serialVersionUID = 1L;
  }

  /// Throws at its n-th turn, and never again.
  private static final class Bomb {
    private final Place place;
    private final boolean planned;
    private int turns;
    private boolean armed;

    Bomb(Place place, int turns, boolean planned) {
      this.place = place;
      this.turns = turns;
      this.planned = planned;
    }

    void pass(Place here) {
      if (!armed || here != place || --turns != 0) return;
      if (planned) throw new OutOfMemoryError("unable to create native thread");
      throw new Unplanned();
    }

    boolean hasGoneOff() {
      return turns <= 0;
    }
  }

  /// A store with a bomb.
  public static final class BombedRows {
    private final Rows rows;
    private final Bomb bomb;

    BombedRows(Rows rows, Bomb bomb) {
      this.rows = rows;
      this.bomb = bomb;
    }

    public BitSet commit(int node, List<Write> batch) {
      bomb.pass(Place.STORE_BEFORE);
      var done = rows.commit(node, batch);
      bomb.pass(Place.STORE_AFTER);
      return done;
    }

    public BitSet wrote(int node, List<Write> batch) {
      bomb.pass(Place.WROTE);
      return rows.wrote(node, batch);
    }
  }

  static Stream<Arguments> placesOfErrors() {
    return Arrays.stream(Place.values())
        .flatMap(place -> Stream.of(true, false).map(planned -> Arguments.of(place, planned)));
  }

  @ParameterizedTest
  @MethodSource("placesOfErrors")
  void whatever_is_thrown_and_where_everything_is_settled_once(Place place, boolean planned) {
    int turn = 0;
    Bomb bomb;
    do {
      bomb = new Bomb(place, ++turn, planned);
      withAnError(bomb);
    } while (bomb.hasGoneOff());
    assertThat(turn).as("it went off").isGreaterThan(1);
  }

  /// Everything happens that can: duplicates, a lock, doubt, bad data, large batches.
  private void withAnError(Bomb bomb) {
    var rows = new Rows();
    var store = ScriptedStore.of(new BombedRows(rows, bomb));
    now = Story.START;
    var listener =
        new EngineListener() {
          @Override
          public void committed(int entries, Duration duration) {
            bomb.pass(Place.LISTENER);
          }

          @Override
          public void storeFailed(String attempted, StoreException failure) {
            bomb.pass(Place.LISTENER);
          }
        };
    var bombed =
        new GroupCommit(
            store,
            NODE,
            20,
            () -> {
              bomb.pass(Place.CLOCK);
              return now;
            },
            listener);
    bomb.armed = true;
    bombed.onSubmit(() -> bomb.pass(Place.WRITERS_BELL));
    bombed.onNotices(() -> bomb.pass(Place.RELAYS_BELL));
    bombed.settleOn(
        task -> {
          bomb.pass(Place.SETTLER);
          task.run();
        });
    rows.before.add(fails(StoreException.Kind.BLOCKED));
    rows.after.add(fails(StoreException.Kind.UNKNOWN));
    rows.locked.add("s3");
    var told = new ArrayList<String>();
    for (int i = 0; i < 45; i++) {
      var id = i == 7 ? "s6" : i == 12 ? "bad" : "s" + i;
      var name = "entry " + i;
      survive(
          () ->
              bombed.submit(
                  write(id, List.of(new Notice("done", "{}"))),
                  fate -> {
                    told.add(name);
                    bomb.pass(Place.SETTLED);
                  }));
    }
    for (int i = 0; i < 300; i++) {
      survive(bombed::flush);
      if (i == 100) rows.locked.clear();
      now = now.plusMillis(100);
    }
    bomb.armed = false;
    assertThat(told).doesNotHaveDuplicates().hasSize(45);
    assertThat(rows.written).hasSize(43);
    assertThat(bombed.waiting()).isZero();
    assertThat(bombed.isLeft()).isFalse();
    assertThat(bombed.oldest()).isZero();
    assertThat(bombed.standsStill()).isZero();
  }

  private static void survive(Runnable turn) {
    try {
      turn.run();
    } catch (OutOfMemoryError | Unplanned _) {
      // as the engine's threads do
    }
  }
}
