package dev.tuntas.adapters.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A connection to Redis for those who can do without. Nobody waits for it longer than the timeout;
/// after a few failures in a row nobody waits at all until it was found well again, and who looks
/// after it waits for nothing either. Nothing is thrown: what cannot be told is empty.
public final class RedisLink implements AutoCloseable {

  /// `failuresMax` in a row, and it is not asked; every `pause` it is looked after.
  public record Settings(URI url, Duration timeout, int failuresMax, Duration pause) {

    public static Settings of(URI url, Duration timeout) {
      return new Settings(url, timeout, 3, Duration.ofMillis(500));
    }
  }

  /// What became of a call.
  public enum Result {
    OK,
    /// Redis answered that it will not: a value of another type, no memory left, no permission.
    REFUSED,
    FAILED,
    TIMEOUT,
    /// It was not asked.
    SKIPPED
  }

  @FunctionalInterface
  public interface Command<T> {
    CompletionStage<T> send(RedisAsyncCommands<String, String> redis);
  }

  private static final Logger log = LoggerFactory.getLogger(RedisLink.class);
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(1);
  private static final int UNDER_WAY_MAX = 10_000;
  private static final int UNANSWERED_MAX = 5;
  private static final int THREADS = 2;

  private final RedisURI uri;
  private final Duration timeout;
  private final Rest rest;
  private final Consumer<Result> meter;
  private final ClientResources resources;
  private final RedisClient client;
  private final AtomicBoolean connecting = new AtomicBoolean();
  private final AtomicInteger unanswered = new AtomicInteger();
  private volatile @Nullable StatefulRedisConnection<String, String> connection;
  private volatile boolean closed;

  /// Connects when it is asked for the first time.
  public RedisLink(Settings settings, Consumer<Result> meter) {
    this.uri = RedisURI.create(settings.url);
    uri.setTimeout(CONNECT_WITHIN);
    this.timeout = settings.timeout;
    this.rest = new Rest(settings.failuresMax, settings.pause, System::nanoTime);
    this.meter = meter;
    this.resources =
        DefaultClientResources.builder()
            .ioThreadPoolSize(THREADS)
            .computationThreadPoolSize(THREADS)
            .build();
    this.client = RedisClient.create(resources);
    client.setOptions(
        ClientOptions.builder()
            .autoReconnect(false) // who looks after it does that
            .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
            .requestQueueSize(UNDER_WAY_MAX)
            .socketOptions(SocketOptions.builder().connectTimeout(CONNECT_WITHIN).build())
            .build());
  }

  /// Whether it is not asked at the moment.
  public boolean isResting() {
    return rest.isResting();
  }

  /// Asks, and waits for the answer. Empty if there is none, or if it is null.
  public <T> Optional<T> ask(Command<T> command) {
    var sent = send(command);
    if (sent == null) return Optional.empty();
    try {
      var answer = sent.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      count(Result.OK);
      return Optional.ofNullable(answer);
    } catch (TimeoutException e) {
      sent.cancel(false);
      count(Result.TIMEOUT);
    } catch (ExecutionException e) {
      count(failure(e.getCause()));
    } catch (InterruptedException e) {
      sent.cancel(false);
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }

  /// Tells, and waits for nothing.
  public <T> void tell(Command<T> command) {
    var sent = send(command);
    if (sent == null) return;
    sent.whenComplete((_, failure) -> count(failure == null ? Result.OK : failure(failure)));
  }

  private <T> @Nullable CompletableFuture<T> send(Command<T> command) {
    if (rest.isResting()) {
      if (rest.isTimeToLook()) look();
      count(Result.SKIPPED);
      return null;
    }
    var open = connection;
    if (open == null) {
      count(Result.FAILED);
      return null;
    }
    try {
      return command.send(open.async()).toCompletableFuture();
    } catch (RuntimeException e) {
      count(failure(e));
      return null;
    }
  }

  private static Result failure(@Nullable Throwable failure) {
    var cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof RedisCommandExecutionException ? Result.REFUSED : Result.FAILED;
  }

  private void count(Result result) {
    meter.accept(result);
    switch (result) {
      case OK, REFUSED -> rest.answered();
      case FAILED, TIMEOUT -> {
        if (rest.failed()) log.warn("Redis does not answer, and is not asked for a while");
      }
      case SKIPPED -> {}
    }
  }

  // Looking after it

  /// There is one connection at a time: a second one would take the place of the first, which may
  /// be in use by then.
  private void look() {
    if (closed || !connecting.compareAndSet(false, true)) return;
    var open = connection;
    if (open != null && isUsable(open)) {
      connecting.set(false);
      ping(open);
      return;
    }
    connection = null;
    if (open != null) open.closeAsync();
    try {
      client.connectAsync(StringCodec.UTF8, uri).whenComplete(this::connected);
    } catch (RuntimeException closedMeanwhile) {
      connected(null, closedMeanwhile);
    }
  }

  /// One that answers nothing for long may be connected to a machine that is no more.
  private boolean isUsable(StatefulRedisConnection<String, String> open) {
    return open.isOpen() && unanswered.get() < UNANSWERED_MAX;
  }

  private void connected(
      @Nullable StatefulRedisConnection<String, String> fresh, @Nullable Throwable failure) {
    if (fresh == null) {
      connecting.set(false);
      log.debug("Redis was not reached", failure);
      return;
    }
    unanswered.set(0);
    connection = fresh;
    connecting.set(false);
    if (closed) fresh.closeAsync();
    else ping(fresh);
  }

  private void ping(StatefulRedisConnection<String, String> open) {
    unanswered.incrementAndGet();
    long began = System.nanoTime();
    open.async()
        .ping()
        .whenComplete(
            (_, failure) -> {
              boolean inTime = System.nanoTime() - began <= timeout.toNanos();
              if (failure != null || !inTime) return;
              unanswered.set(0);
              rest.end();
              log.info("Redis answers");
            });
  }

  @Override
  public void close() {
    closed = true;
    var open = connection;
    if (open != null) open.close();
    client.shutdown(Duration.ZERO, CONNECT_WITHIN);
    resources.shutdown(0, CONNECT_WITHIN.toMillis(), TimeUnit.MILLISECONDS).awaitUninterruptibly();
  }
}
