package dev.tuntas.server.support;

import dev.tuntas.audit.Audit;
import dev.tuntas.engine.Outbox;
import dev.tuntas.notify.DeadDeliveries.Fate;
import dev.tuntas.server.support.DeadLetterQueue.DeadLetter;
import dev.tuntas.server.support.DeadLetterQueue.Wish;
import dev.tuntas.store.Tables;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All dead letters together. An id begins with the name of its queue.
public final class DeadLetters {

  /// Which are wanted; what is null does not matter.
  record Filter(@Nullable String queue, @Nullable String orderId) {}

  static final int MANY_MAX = 100_000;
  static final List<String> QUEUES = List.of("broker", "bus", "compensation", "delivery", "notice");

  private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);

  /// Many at once are put back one after the other, so that their partners are not flooded.
  private static final Duration PACE = Duration.ofMillis(5);

  private static final Comparator<DeadLetter> NEWEST_FIRST =
      Comparator.comparing(DeadLetters::position).reversed();

  private final List<DeadLetterQueue> queues;

  DeadLetters(List<DeadLetterQueue> queues) {
    this.queues = List.copyOf(queues);
  }

  /// @param bus the tables of the book of messages, if there is a bus
  public static DeadLetters of(
      Tables tables,
      Outbox outbox,
      @Nullable Tables bus,
      SagaDecisions decisions,
      Audit audit,
      InstantSource clock) {
    var queues = new ArrayList<DeadLetterQueue>();
    if (bus != null) {
      queues.add(new BrokerQueue(bus, audit, clock));
      queues.add(new BusQueue(bus, audit));
    }
    queues.add(new CompensationQueue(tables, decisions, audit));
    queues.add(new DeliveryQueue(tables, audit, clock));
    queues.add(new NoticeQueue(outbox, audit));
    return new DeadLetters(queues);
  }

  /// Where a letter stands in the list.
  static String position(DeadLetter letter) {
    return "%016d %s".formatted(letter.at().toEpochMilli(), letter.id());
  }

  List<DeadLetter> all(Filter filter) {
    return queues.stream()
        .filter(queue -> filter.queue == null || filter.queue.equals(queue.name()))
        .flatMap(queue -> queue.list(MANY_MAX).stream())
        .filter(letter -> filter.orderId == null || filter.orderId.equals(letter.orderId()))
        .sorted(NEWEST_FIRST)
        .toList();
  }

  /// Those that come after a position, newest first; from the beginning if it is empty.
  List<DeadLetter> after(String position, Filter filter, int limit) {
    return all(filter).stream()
        .filter(letter -> position.isEmpty() || position(letter).compareTo(position) < 0)
        .limit(limit)
        .toList();
  }

  /// How many there are in a queue.
  public int count(String queue) {
    return queues.stream()
        .filter(it -> it.name().equals(queue))
        .mapToInt(DeadLetterQueue::count)
        .sum();
  }

  Fate replay(String id, Wish wish) {
    return take(id, (queue, key) -> queue.has(key) ? queue.replay(key, wish) : Fate.UNKNOWN);
  }

  Fate discard(String id, Wish wish) {
    return take(id, (queue, key) -> queue.has(key) ? queue.discard(key, wish) : Fate.UNKNOWN);
  }

  private Fate take(String id, BiFunction<DeadLetterQueue, String, Fate> step) {
    for (var queue : queues) {
      var prefix = queue.name() + "-";
      if (id.startsWith(prefix)) return step.apply(queue, id.substring(prefix.length()));
    }
    return Fate.UNKNOWN;
  }

  void replayAll(List<DeadLetter> letters, Wish wish) {
    oneByOne(letters, id -> take(id, (queue, key) -> queue.replay(key, wish)));
  }

  void discardAll(List<DeadLetter> letters, Wish wish) {
    oneByOne(letters, id -> take(id, (queue, key) -> queue.discard(key, wish)));
  }

  /// In the background. What is not reached before the process ends stays where it is.
  private static void oneByOne(List<DeadLetter> letters, Consumer<String> step) {
    Thread.ofVirtual()
        .name("dead-letters")
        .start(
            () -> {
              for (var letter : letters) {
                try {
                  step.accept(letter.id());
                } catch (RuntimeException e) {
                  log.warn("Dead letter {} stays where it is: {}", letter.id(), e.toString());
                }
                LockSupport.parkNanos(PACE.toNanos());
              }
            });
  }
}
