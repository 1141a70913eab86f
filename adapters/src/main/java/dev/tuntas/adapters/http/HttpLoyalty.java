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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Levels that another service knows. What it said is good for a minute. After it failed it is left
/// alone for a second, and it is asked no more often than it takes: customers do not queue for a
/// bonus.
public final class HttpLoyalty implements LoyaltyBook {

  /// How long somebody who orders may wait for it.
  public static final Duration TIMEOUT = Duration.ofMillis(500);

  /// What became of a customer whose level was not known already.
  public enum Result {
    OK,
    FAILED,
    /// Nobody was asked, because it had just failed.
    SKIPPED,
    /// Nobody was asked, because it takes no more.
    LIMITED
  }

  private record Known(Loyalty level, long nanos) {}

  private static final Logger log = LoggerFactory.getLogger(HttpLoyalty.class);
  private static final long GOOD_FOR = Duration.ofMinutes(1).toNanos();
  private static final long REST = Duration.ofSeconds(1).toNanos();
  private static final int KNOWN_MAX = 10_000;

  private final ServiceClient service;
  private final BooleanSupplier mayAsk;
  private final Consumer<Result> listener;
  private final LongSupplier nanoTime;

  private final Map<String, Known> known =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
          return size() > KNOWN_MAX;
        }
      };

  private @Nullable Long failedAt;

  /// @param mayAsk whether the service takes one more question now, which is counted
  public HttpLoyalty(
      ServiceClient service,
      BooleanSupplier mayAsk,
      Consumer<Result> listener,
      LongSupplier nanoTime) {
    this.service = service;
    this.mayAsk = mayAsk;
    this.listener = listener;
    this.nanoTime = nanoTime;
  }

  @Override
  public Loyalty levelOf(String userId) {
    var before = remembered(userId);
    if (before.isPresent()) return before.get();
    var answer = findOut(userId);
    if (answer.isPresent()) remember(userId, answer.get());
    return answer.orElse(Loyalty.EXPLORER);
  }

  private Optional<Loyalty> findOut(String userId) {
    if (rests()) return none(Result.SKIPPED);
    if (!mayAsk.getAsBoolean()) return none(Result.LIMITED);
    return ask(userId);
  }

  private Optional<Loyalty> none(Result why) {
    listener.accept(why);
    return Optional.empty();
  }

  private synchronized Optional<Loyalty> remembered(String userId) {
    var it = known.get(userId);
    if (it == null || nanoTime.getAsLong() - it.nanos >= GOOD_FOR) return Optional.empty();
    return Optional.of(it.level);
  }

  private synchronized boolean rests() {
    return failedAt != null && nanoTime.getAsLong() - failedAt < REST;
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
      case Succeeded<Loyalty> it -> found(it.data());
      case Failed<Loyalty>(Unavailable no) when no.code().equals(Reply.NOT_FOUND) ->
          found(Loyalty.EXPLORER);
      case Failed<Loyalty>(Declined _) -> found(Loyalty.EXPLORER);
      default -> {
        failed(answer.toString());
        yield none(Result.FAILED);
      }
    };
  }

  private Optional<Loyalty> found(Loyalty level) {
    listener.accept(Result.OK);
    return Optional.of(level);
  }

  private synchronized void failed(String why) {
    failedAt = nanoTime.getAsLong();
    log.warn("A level of loyalty could not be asked for and counts as the lowest: {}", why);
  }
}
