package dev.tuntas.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Notices that wait to be published. They are inserted with the transition that causes them (see
/// [SagaStore#commit]) and leave when they are published.
public interface Outbox {

  /// A waiting notice. `eventId` is the same for every delivery.
  record Entry(
      long pos,
      String sagaId,
      long version,
      int seq,
      String type,
      String body,
      Instant at,
      int attempts) {
    public String eventId() {
      return sagaId + "/" + version + "/" + seq;
    }
  }

  /// A notice that was given up on. It holds back the later ones of its saga until it is revived or
  /// discarded.
  record DeadLetter(Entry entry, String error) {}

  /// How far behind publishing is.
  record Lag(long waiting, long dead, @Nullable Instant oldest) {
    public Duration age(Instant now) {
      return oldest == null || oldest.isAfter(now) ? Duration.ZERO : Duration.between(oldest, now);
    }
  }

  /// The oldest notices in order, without those of sagas whose head waits for its retry or is dead.
  List<Entry> next(Instant now, int limit);

  /// Forgets notices that were published.
  void published(Collection<Long> positions);

  /// Notes a failed attempt; the saga's later notices wait behind it.
  void failed(long pos, String error, Instant retryAt);

  /// The same for an attempt that counts for nothing.
  void postpone(long pos, String error, Instant retryAt);

  /// Gives up on a notice.
  void bury(long pos, String error);

  List<DeadLetter> deadLetters(int limit);

  /// Puts a dead letter back at the head of its saga, with its event id. False when there is none.
  boolean revive(long pos);

  /// Drops a dead letter for good. False when there is none.
  boolean discard(long pos);

  Lag lag();
}
