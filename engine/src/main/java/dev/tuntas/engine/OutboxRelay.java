package dev.tuntas.engine;

import dev.tuntas.saga.RetryPolicy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Carries notices from the outbox to the publisher: at least once, in order per saga. A notice
/// that fails holds back only the later ones of its own saga; after its last attempt it is a dead
/// letter. What fails because of a store of ours, such as a row that somebody has locked, is no
/// attempt.
public final class OutboxRelay {

  private static final Logger log = LoggerFactory.getLogger(OutboxRelay.class);

  private final Trouble together = new Trouble(log, "Publishing notices together");
  private final Trouble ours = new Trouble(log, "Publishing notices with our own database");
  static final int BATCH = 1_000;
  private static final int AWAY_AFTER = 3;
  private static final RetryPolicy PAUSES =
      RetryPolicy.patient().intervals(Duration.ofSeconds(1), Duration.ofMinutes(1)).jitter(0.3);

  private static final Duration OURS_AGAIN = Duration.ofSeconds(3);

  private final Outbox outbox;
  private final Publisher publisher;
  private final InstantSource clock;
  private final int attemptsMax;
  private final EngineListener listener;

  public OutboxRelay(
      Outbox outbox,
      Publisher publisher,
      InstantSource clock,
      int attemptsMax,
      EngineListener listener) {
    this.outbox = outbox;
    this.publisher = publisher;
    this.clock = clock;
    this.attemptsMax = attemptsMax;
    this.listener = listener;
  }

  /// Publishes one batch. Returns how many notices went out. When none does, although several sagas
  /// have some, the publisher is away: nothing is held against the notices.
  public int relay() {
    var waiting = outbox.next(clock.instant(), BATCH);
    if (waiting.size() > 1 && allAtOnce(waiting)) return waiting.size();
    var published = new LinkedHashSet<Long>();
    var failures = new LinkedHashMap<Outbox.Entry, Exception>();
    var heldBack = new HashSet<String>();
    for (var notice : waiting) {
      if (heldBack.contains(notice.sagaId()) || published.contains(notice.pos())) continue;
      try {
        publisher.publish(notice);
        published.add(notice.pos());
        listener.published(notice, null, false);
      } catch (Exception failure) {
        heldBack.add(notice.sagaId());
        failures.put(notice, failure);
        if (published.isEmpty() && failures.size() >= AWAY_AFTER) {
          var newest = newest(waiting);
          if (heldBack.contains(newest.sagaId()) || !goesOut(newest)) {
            throw new PublisherAwayException(failure);
          }
          published.add(newest.pos());
        }
      }
    }
    failures.forEach(this::failed);
    if (failures.values().stream().noneMatch(StoreException::isBehind)) ours.worked();
    if (!published.isEmpty()) outbox.published(published);
    return published.size();
  }

  /// The first notice of the saga that was heard of last. If the oldest ones fail, it tells whether
  /// they are to blame: a few that nobody can take must not stand in everybody's way.
  private static Outbox.Entry newest(List<Outbox.Entry> waiting) {
    var saga = waiting.getLast().sagaId();
    for (var notice : waiting) if (notice.sagaId().equals(saga)) return notice;
    throw new IllegalStateException(saga);
  }

  private boolean goesOut(Outbox.Entry notice) {
    try {
      publisher.publish(notice);
    } catch (Exception _) {
      return false;
    }
    listener.published(notice, null, false);
    return true;
  }

  /// Whether the publisher took them all together.
  private boolean allAtOnce(List<Outbox.Entry> waiting) {
    try {
      if (!publisher.publishAll(waiting)) return false;
    } catch (Exception failure) {
      together.failed(failure);
      return false;
    }
    together.worked();
    for (var notice : waiting) listener.published(notice, null, false);
    outbox.published(waiting.stream().map(Outbox.Entry::pos).toList());
    return true;
  }

  private void failed(Outbox.Entry notice, Exception failure) {
    if (StoreException.isBehind(failure)) {
      postpone(notice, failure);
      return;
    }
    int attempts = notice.attempts() + 1;
    boolean dead = attempts >= attemptsMax;
    log.atWarn()
        .addKeyValue("saga_id", notice.sagaId())
        .log(
            "notice {} ({}) was not published, attempt {}{}: {}",
            notice.eventId(),
            notice.type(),
            attempts,
            dead ? ", given up" : "",
            failure.toString());
    var error = Text.clean(failure.toString());
    if (dead) outbox.bury(notice.pos(), error);
    else outbox.failed(notice.pos(), error, clock.instant().plus(pause(notice, attempts)));
    listener.published(notice, failure, dead);
  }

  private void postpone(Outbox.Entry notice, Exception failure) {
    ours.failed("notice " + notice.eventId() + ": " + failure);
    var again = clock.instant().plus(OURS_AGAIN);
    outbox.postpone(notice.pos(), Text.clean(failure.toString()), again);
    listener.published(notice, failure, false);
  }

  private static Duration pause(Outbox.Entry notice, int attempts) {
    return PAUSES.after(attempts, notice.eventId().hashCode());
  }
}
