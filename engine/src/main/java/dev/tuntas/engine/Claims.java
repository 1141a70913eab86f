package dev.tuntas.engine;

import static java.util.stream.Collectors.toSet;

import dev.tuntas.engine.Lane.Permit;
import dev.tuntas.engine.Next.Rank;
import dev.tuntas.engine.Worker.Wake;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Fetches work from the store: what is due, what was told something, what dead processes left, and
/// what this process owns without knowing it. Each is one short duty, to be repeated for ever.
final class Claims {

  private static final Logger log = LoggerFactory.getLogger(Claims.class);
  private static final int CLAIM_MAX = 500;
  private static final int CANDIDATES_PER_CLAIM = 10;
  private static final int INBOX_MAX = 1_000;

  /// How often a lane without a limit is searched for those that it left behind when it had one.
  private static final int LEFT_OVER_ROUNDS = 100;

  /// What processes take for the store's time differs by less than this. Who rings for a saga that
  /// is due now must not ring in vain.
  private static final Duration CLOCKS_APART = Duration.ofMillis(100);

  /// A row that this process owns and has not heard of for so long was lost on the way.
  static final Duration LOST_AFTER = Duration.ofSeconds(2);

  private final SagaStore store;
  private final int node;
  private final Worker worker;
  private final Lanes lanes;
  private final Pulse pulse;
  private final Set<Integer> kinds;
  private final EngineSettings settings;
  private final EngineListener listener;
  private final Backlog backlog;
  private final boolean runs;
  private int round;

  Claims(SagaStore store, int node, Worker worker, Worker.Means means) {
    this.store = store;
    this.node = node;
    this.worker = worker;
    this.lanes = means.lanes();
    this.pulse = means.pulse();
    this.kinds = means.definitions().kinds();
    this.settings = means.settings();
    this.listener = means.listener();
    this.backlog = worker.backlog();
    this.runs = means.runs();
  }

  /// Claims what is due, lane by lane, as far as the lane permits. Returns how many.
  int due() {
    int room = room();
    int claimed = 0;
    round += 1;
    for (var lane : lanes.all()) claimed += due(lane);
    if (claimed < room) backlog.caughtUp(); // those still there wait for a lane, not for us
    return claimed;
  }

  private int due(Lane lane) {
    var now = pulse.now();
    if (Lanes.isOpen(lane.name())) return claim(lane, Rank.ACT, room(), new ArrayDeque<>(), now);
    int room = Math.min(room(), lane.available(now));
    var permits = new ArrayDeque<Permit>();
    try {
      while (permits.size() < room) {
        var permit = lane.tryAcquire(now);
        if (permit == null) break;
        permits.add(permit);
      }
      int all = permits.size();
      claim(lane, Rank.ACT, permits.size(), permits, now);
      if (!lane.hasLimit() && round % LEFT_OVER_ROUNDS != 0) return all - permits.size();
      int share = permits.size() - lane.keptForAgain(permits.size());
      int asked = claim(lane, Rank.FIRST, share, permits, now);
      claim(lane, Rank.AGAIN, permits.size(), permits, now);
      if (asked == share) claim(lane, Rank.FIRST, permits.size(), permits, now);
      return all - permits.size();
    } finally {
      lane.crowded(permits.isEmpty(), now);
      permits.forEach(Permit::giveBack);
    }
  }

  /// Each that is claimed gets one of the permits, while there are any.
  private int claim(Lane lane, Rank rank, int limit, Queue<Permit> permits, Instant now) {
    if (limit == 0) return 0;
    int candidates = limit * CANDIDATES_PER_CLAIM;
    var rows = store.claimDue(node, lane.placeOf(rank), kinds, now, candidates, limit);
    for (var row : rows) {
      if (row.movedAt().equals(row.createdAt())) backlog.begun(row.createdAt());
      worker.resume(row, Wake.DUE, permits.poll());
    }
    return rows.size();
  }

  /// Claims those of these that are due and whose lane lets somebody through. What there is no room
  /// for stays in the store for the next look. Returns how many.
  int named(Collection<String> ids) {
    int room = room();
    if (room == 0 || ids.isEmpty()) return 0;
    var now = pulse.now();
    var open = lanes.all().stream().filter(it -> it.available(now) > 0).toList();
    var places = open.stream().map(it -> it.placeOf(Rank.ACT)).collect(toSet());
    var some = ids.stream().distinct().limit(room).toList();
    var rows = store.claim(node, some, places, kinds, now.plus(CLOCKS_APART));
    for (var row : rows) worker.resume(row, Wake.DUE, null);
    return rows.size();
  }

  /// Claims those whose time is over while their lane lets nobody through. Returns how many.
  int late() {
    int room = room();
    if (room == 0) return 0;
    var rows = store.claimLate(node, kinds, pulse.now(), room);
    for (var row : rows) worker.resume(row, Wake.DUE, null);
    return rows.size();
  }

  /// Delivers what was told to sagas: to those that run here, and to those that nobody runs.
  int told() {
    int room = room();
    var woken = room == 0 ? Set.<SagaRow>of() : store.claimSignalled(node, kinds, room);
    for (var row : woken) worker.resume(row, Wake.TOLD, null);
    int heard = 0;
    for (var item : store.pending(node, INBOX_MAX)) if (worker.told(item)) heard += 1;
    for (var row : woken) worker.nudge(row.id());
    return heard;
  }

  /// Takes over what dead processes left. Returns how many.
  int takeOver() {
    int room = room();
    if (room == 0) return 0;
    var rows = store.takeOver(node, kinds, room);
    if (rows.isEmpty()) return 0;
    log.info("taking over {} sagas of dead nodes", rows.size());
    listener.tookOver(rows.size());
    for (var row : rows) worker.resume(row, Wake.ABANDONED, null);
    return rows.size() == CLAIM_MAX ? rows.size() + takeOver() : rows.size();
  }

  /// Adopts what this process owns but does not know: an answer of the store that got lost. What
  /// seems to have moved later than now was moved by another process, by its own time.
  int adopt() {
    int adopted = 0;
    var now = pulse.now();
    var since = now.minus(LOST_AFTER);
    for (var id : store.ownedBy(node, since, now, settings.limits().running())) {
      if (worker.knows(id)) continue;
      var row = store.find(id).filter(found -> Objects.equals(found.owner(), node));
      row.ifPresent(this::adopt);
      adopted += 1;
    }
    return adopted;
  }

  /// One that cannot go on, again and again, keeps nobody else waiting.
  private void adopt(SagaRow lost) {
    try {
      worker.resume(lost, Wake.LOST, null);
    } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError bug) {
      log.atError()
          .addKeyValue("saga_id", lost.id())
          .setCause(bug)
          .log("saga {}: could not go on, and is tried again", lost.id());
    }
  }

  boolean isFull() {
    return room() == 0;
  }

  private int room() {
    if (!runs) return 0;
    return Math.clamp((long) settings.limits().running() - worker.load(), 0, CLAIM_MAX);
  }
}
