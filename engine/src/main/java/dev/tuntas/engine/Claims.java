package dev.tuntas.engine;

import dev.tuntas.engine.Worker.Wake;
import java.time.Duration;
import java.util.Objects;
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

  Claims(SagaStore store, int node, Worker worker, Worker.Means means) {
    this.store = store;
    this.node = node;
    this.worker = worker;
    this.lanes = means.lanes();
    this.pulse = means.pulse();
    this.kinds = means.definitions().kinds();
    this.settings = means.settings();
    this.listener = means.listener();
  }

  /// Claims what is due, lane by lane, as far as the lane permits. Returns how many.
  int due() {
    int claimed = 0;
    for (var lane : lanes.all()) claimed += due(lane);
    return claimed;
  }

  private int due(Lane lane) {
    var now = pulse.now();
    boolean open = Lanes.isOpen(lane.name());
    int room = Math.min(room(), open ? CLAIM_MAX : lane.available(now));
    int permits = 0;
    while (permits < room && (open || lane.tryAcquire(now))) permits += 1;
    if (permits == 0) return 0;
    int used = 0;
    try {
      var rows =
          store.claimDue(node, lane.number(), kinds, now, permits * CANDIDATES_PER_CLAIM, permits);
      used = rows.size();
      for (var row : rows) worker.resume(row, Wake.DUE, open ? null : lane);
      return used;
    } finally {
      for (int i = used; i < permits && !open; i++) lane.giveBack();
    }
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

  /// Adopts what this process owns but does not know: an answer of the store that got lost.
  int adopt() {
    int adopted = 0;
    for (var id : store.ownedBy(node, pulse.now().minus(LOST_AFTER), settings.limits().running())) {
      if (worker.knows(id)) continue;
      var row = store.find(id).filter(found -> Objects.equals(found.owner(), node));
      row.ifPresent(lost -> worker.resume(lost, Wake.LOST, null));
      adopted += 1;
    }
    return adopted;
  }

  private int room() {
    return Math.clamp((long) settings.limits().running() - worker.load(), 0, CLAIM_MAX);
  }
}
