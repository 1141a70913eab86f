package dev.tuntas.testkit;

import static dev.tuntas.testkit.Entries.at;
import static dev.tuntas.testkit.Entries.seconds;
import static dev.tuntas.testkit.Entries.settling;
import static dev.tuntas.testkit.Entries.signal;
import static dev.tuntas.testkit.StoreUnderTest.ids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.InboxItem;
import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write.Applied;
import dev.tuntas.saga.Notice;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every answer that comes from an index is what a scan of all rows would have found.
class MemoryStoreIndexTest {

  private static final int STEPS = 3_000;
  private static final int SAGAS = 40;
  private static final int NODES = 3;
  private static final int LANES = 2;
  private static final int KINDS = 2;
  private static final int ALL = 10_000;

  private final MemoryStore store = new MemoryStore(InstantSource.fixed(Entries.START));
  private final List<Integer> nodes = new ArrayList<>();
  private final Set<Integer> dead = new HashSet<>();
  private Random random = new Random(0);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void an_index_finds_what_a_scan_would_find(long seed) {
    random = new Random(seed);
    for (int i = 0; i < NODES; i++) nodes.add(store.join("node"));
    for (int step = 0; step < STEPS; step++) {
      act();
      look();
    }
  }

  private void act() {
    switch (random.nextInt(12)) {
      case 0, 1 -> insert();
      case 2, 3, 4, 5 -> move();
      case 6 -> put();
      case 7 -> claimDue();
      case 8 -> claimSignalled();
      case 9 -> replaceNode();
      case 10 -> purge();
      default -> publish();
    }
  }

  private void insert() {
    var status = anyStatus();
    store.commit(
        anyNode(),
        List.of(
            Entries.insert(
                anyId(),
                1 + random.nextInt(KINDS),
                status,
                random.nextInt(LANES),
                status == Status.WAITING ? anyTime() : null,
                anyTime(),
                anyTime(),
                notices())));
  }

  private void move() {
    var owned = scan(row -> row.owner() != null);
    if (owned.isEmpty()) return;
    var row = owned.get(random.nextInt(owned.size()));
    var status = anyStatus();
    var dueAt = status == Status.WAITING ? anyTime() : null;
    var move =
        Entries.move(row.id(), row.version(), status, random.nextInt(LANES), dueAt, notices());
    var applied =
        unappliedOf(Set.of(row.id())).stream()
            .filter(_ -> random.nextBoolean())
            .map(item -> new Applied(item.pos(), "ok"))
            .toArray(Applied[]::new);
    var written =
        store.commit(
            Objects.requireNonNull(row.owner()), List.of(at(anyTime(), settling(move, applied))));
    assertThat(written.get(0)).isTrue();
  }

  private void put() {
    store.put(anyId(), signal("x-" + random.nextInt(200)), anyTime());
  }

  private void claimDue() {
    int lane = random.nextInt(LANES);
    var now = anyTime();
    var kinds = Set.of(1 + random.nextInt(KINDS));
    var due =
        scan(
            row ->
                row.dueAt() != null
                    && !row.dueAt().isAfter(now)
                    && row.lane() == lane
                    && kinds.contains(row.kind()));

    var claimed = store.claimDue(anyNode(), lane, kinds, now, ALL, ALL);
    assertThat(ids(claimed)).containsExactlyInAnyOrderElementsOf(ids(due));
  }

  private void claimSignalled() {
    var kinds = Set.of(1 + random.nextInt(KINDS));
    var free =
        scan(
            row ->
                row.owner() == null
                    && kinds.contains(row.kind())
                    && !unappliedOf(Set.of(row.id())).isEmpty());

    var claimed = store.claimSignalled(anyNode(), kinds, ALL);
    assertThat(ids(claimed)).containsExactlyInAnyOrderElementsOf(ids(free));
  }

  private void replaceNode() {
    int gone = anyNode();
    store.leave(gone);
    dead.add(gone);
    nodes.remove((Integer) gone);
    nodes.add(store.join("node"));
    var orphans = scan(row -> row.owner() != null && dead.contains(row.owner()));

    var taken = store.takeOver(anyNode(), Set.of(1, 2), ALL);
    assertThat(ids(taken)).containsExactlyInAnyOrderElementsOf(ids(orphans));
  }

  private void purge() {
    var before = anyTime();
    var old = scan(row -> row.status().isEnd() && row.movedAt().isBefore(before));
    assertThat(store.purgeEnded(before, ALL)).isEqualTo(old.size());

    store.purgeInbox(before, random.nextInt(5));
  }

  private void publish() {
    for (var entry : store.next(anyTime(), 5)) {
      switch (random.nextInt(5)) {
        case 0 -> store.failed(entry.pos(), "no", anyTime());
        case 1 -> store.postpone(entry.pos(), "not now", anyTime());
        case 2 -> store.bury(entry.pos(), "never");
        default -> store.published(List.of(entry.pos()));
      }
    }
    for (var letter : store.deadLetters(2)) {
      if (random.nextBoolean()) store.revive(letter.entry().pos());
      else store.discard(letter.entry().pos());
    }
  }

  private void look() {
    int node = anyNode();
    var since = anyTime();
    var owned = scan(row -> Objects.equals(row.owner(), node));
    var until = since.plusSeconds(10);
    var others =
        owned.stream()
            .filter(row -> row.movedAt().isBefore(since) || row.movedAt().isAfter(until))
            .toList();
    assertThat(store.ownedBy(node, since, until, ALL))
        .containsExactlyInAnyOrderElementsOf(ids(others));
    assertThat(store.pending(node, ALL)).isEqualTo(unappliedOf(new HashSet<>(ids(owned))));
    assertThat(store.overdue(since, ALL))
        .containsExactlyInAnyOrderElementsOf(
            scan(row -> row.dueAt() != null && row.dueAt().isBefore(since)));
    assertThat(store.next(since, ALL)).isSortedAccordingTo(this::byPos);
  }

  private int byPos(Outbox.Entry a, Outbox.Entry b) {
    return Long.compare(a.pos(), b.pos());
  }

  private List<SagaRow> scan(Predicate<SagaRow> wanted) {
    return store.sagas().stream().filter(wanted).toList();
  }

  private List<InboxItem> unappliedOf(Set<String> ids) {
    return store.unapplied().stream().filter(item -> ids.contains(item.sagaId())).toList();
  }

  private Notice[] notices() {
    return random.nextInt(4) == 0 ? new Notice[] {Entries.notice("n")} : new Notice[0];
  }

  private String anyId() {
    return "s-" + random.nextInt(SAGAS);
  }

  private int anyNode() {
    return nodes.get(random.nextInt(nodes.size()));
  }

  private Status anyStatus() {
    return Status.values()[random.nextInt(Status.values().length)];
  }

  private Instant anyTime() {
    return seconds(random.nextInt(100));
  }
}
