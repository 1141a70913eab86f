package dev.tuntas.engine;

import dev.tuntas.saga.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The net below everything else: finds sagas that should have moved and did not, and triggers them
/// again, a bounded number at a time. It decides nothing about them. It also deletes what is old.
final class Sweeper {

  private static final Logger log = LoggerFactory.getLogger(Sweeper.class);
  private static final int PURGE_BATCH = 500;
  private static final RetryPolicy SPREAD =
      RetryPolicy.patient().intervals(Duration.ofMillis(500), Duration.ofMillis(500)).jitter(1);

  private final SagaStore store;
  private final Worker worker;
  private final Timers timers;
  private final Pulse pulse;
  private final EngineSettings settings;
  private final EngineListener listener;
  private final @Nullable ConsumerInbox consumers;

  Sweeper(SagaStore store, @Nullable ConsumerInbox consumers, Worker worker, Worker.Means means) {
    this.store = store;
    this.consumers = consumers;
    this.worker = worker;
    this.timers = means.hands().timers();
    this.pulse = means.pulse();
    this.settings = means.settings();
    this.listener = means.listener();
  }

  /// Triggers again what has stood still. Returns how many were found. What this process owns and
  /// does not know is for [Claims#adopt].
  int sweep() {
    var since = pulse.now().minus(settings.pace().stuckAfter());
    int limit = settings.limits().sweep();
    var standing = worker.standingSince(since, limit);
    for (var id : standing) {
      warn(id, "has not moved");
      timers.after(SPREAD.after(1, id.hashCode()), () -> worker.retrigger(id));
    }
    int found = standing.size();
    if (found < limit) found += overdue(since, limit - found);
    if (found > 0) listener.swept(found);
    return found;
  }

  /// They are claimed as soon as their lane permits; there is nothing to trigger.
  private int overdue(Instant since, int limit) {
    var rows = store.overdue(since, limit);
    for (var row : rows) warn(row.id(), "has been due");
    return rows.size();
  }

  private void warn(String id, String what) {
    var span = settings.pace().stuckAfter();
    log.atWarn().addKeyValue("saga_id", id).log("saga {} {} for more than {}", id, what, span);
  }

  /// Deletes one bounded batch of what ended long ago. Returns how many rows may be left to delete:
  /// zero when there was less than a batch.
  int purge() {
    var before = pulse.now().minus(settings.retention().ended());
    int sagas = store.purgeEnded(before, PURGE_BATCH);
    int signals = store.purgeInbox(before, PURGE_BATCH);
    int consumed = consumers == null ? 0 : consumers.purge(seenBefore(), PURGE_BATCH);
    return Math.max(sagas, Math.max(signals, consumed)) == PURGE_BATCH ? PURGE_BATCH : 0;
  }

  private Instant seenBefore() {
    return pulse.now().minus(settings.retention().consumed());
  }
}
