package dev.tuntas.adapters.http;

import dev.tuntas.areas.Loyalty;
import dev.tuntas.areas.LoyaltyBook;
import dev.tuntas.saga.Failure.Declined;
import dev.tuntas.saga.Failure.Unavailable;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Failed;
import dev.tuntas.saga.Outcome.Succeeded;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Levels that another service knows. What it said is good for a minute. After it failed it is left
/// alone for a second: customers do not queue for a bonus.
public final class HttpLoyalty implements LoyaltyBook {

  /// How long somebody who orders may wait for it.
  public static final Duration TIMEOUT = Duration.ofMillis(500);

  private record Known(Loyalty level, long nanos) {}

  private static final Logger log = LoggerFactory.getLogger(HttpLoyalty.class);
  private static final long GOOD_FOR = Duration.ofMinutes(1).toNanos();
  private static final long REST = Duration.ofSeconds(1).toNanos();
  private static final int KNOWN_MAX = 10_000;

  private final ServiceClient service;
  private final LongSupplier nanoTime;

  private final Map<String, Known> known =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
          return size() > KNOWN_MAX;
        }
      };

  private @Nullable Long failedAt;

  public HttpLoyalty(ServiceClient service, LongSupplier nanoTime) {
    this.service = service;
    this.nanoTime = nanoTime;
  }

  @Override
  public Loyalty levelOf(String userId) {
    var before = remembered(userId);
    if (before.isPresent()) return before.get();
    var answer = ask(userId);
    if (answer.isPresent()) remember(userId, answer.get());
    return answer.orElse(Loyalty.EXPLORER);
  }

  private synchronized Optional<Loyalty> remembered(String userId) {
    long now = nanoTime.getAsLong();
    var it = known.get(userId);
    if (it != null && now - it.nanos < GOOD_FOR) return Optional.of(it.level);
    boolean rests = failedAt != null && now - failedAt < REST;
    return rests ? Optional.of(Loyalty.EXPLORER) : Optional.empty();
  }

  private synchronized void remember(String userId, Loyalty level) {
    known.remove(userId);
    known.put(userId, new Known(level, nanoTime.getAsLong()));
  }

  private Optional<Loyalty> ask(String userId) {
    Outcome<Loyalty> answer =
        service.get(
            "/api/loyalty?user_id=" + Bodies.encoded(userId),
            body -> Optional.ofNullable(Bodies.text(body, "level")).map(Loyalty::of));
    return switch (answer) {
      case Succeeded<Loyalty> it -> Optional.of(it.data());
      case Failed<Loyalty>(Unavailable no) when no.code().equals(Reply.NOT_FOUND) ->
          Optional.of(Loyalty.EXPLORER);
      case Failed<Loyalty>(Declined _) -> Optional.of(Loyalty.EXPLORER);
      default -> {
        failed(answer.toString());
        yield Optional.empty();
      }
    };
  }

  private synchronized void failed(String why) {
    failedAt = nanoTime.getAsLong();
    log.warn("A level of loyalty could not be asked for and counts as the lowest: {}", why);
  }
}
