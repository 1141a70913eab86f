package dev.tuntas.testkit;

import dev.tuntas.engine.Outbox.DeadLetter;
import dev.tuntas.engine.Outbox.Entry;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A notice and what became of it so far: `retryAt` is set after a failed attempt, `deadBecause`
/// once it was given up on.
record OutboxLine(Entry entry, @Nullable Instant retryAt, @Nullable String deadBecause) {

  OutboxLine(Entry entry) {
    this(entry, null, null);
  }

  long pos() {
    return entry.pos();
  }

  boolean isDead() {
    return deadBecause != null;
  }

  boolean isTroubled() {
    return isDead() || retryAt != null;
  }

  boolean isOpenAt(Instant now) {
    return !isDead() && (retryAt == null || !retryAt.isAfter(now));
  }

  OutboxLine failed(Instant again) {
    return new OutboxLine(attempts(entry.attempts() + 1), Rows.millis(again), null);
  }

  OutboxLine postponed(Instant again) {
    return new OutboxLine(entry, Rows.millis(again), null);
  }

  OutboxLine buried(String error) {
    return new OutboxLine(entry, null, error);
  }

  OutboxLine revived() {
    return new OutboxLine(attempts(0));
  }

  DeadLetter letter() {
    if (deadBecause == null) throw new IllegalStateException(entry.eventId() + " is not dead");
    return new DeadLetter(entry, deadBecause);
  }

  private Entry attempts(int attempts) {
    return new Entry(
        entry.pos(),
        entry.sagaId(),
        entry.version(),
        entry.seq(),
        entry.type(),
        entry.body(),
        entry.at(),
        attempts);
  }
}
