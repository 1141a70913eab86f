package dev.tuntas.server.orders;

import dev.tuntas.orders.OrderDesk;
import dev.tuntas.orders.OrderView;
import dev.tuntas.server.access.Caller;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// Tells of an order as it moves, as server-sent events: each with the version as its id, `end`
/// after the last. It blocks its thread, which is a virtual one, until the order has ended or the
/// client has gone.
public final class OrderStream {

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);
  private static final Duration COMMENT_EVERY = Duration.ofSeconds(15);
  private static final Duration LONGEST = Duration.ofMinutes(30);
  private static final int STREAMS_MAX = 2_000;

  private final OrderDesk desk;
  private final OrderNews news;
  private final OrderJson json;
  private final JsonMapper mapper;
  private final Semaphore streams = new Semaphore(STREAMS_MAX);

  public OrderStream(OrderDesk desk, OrderNews news, OrderJson json, JsonMapper mapper) {
    this.desk = desk;
    this.news = news;
    this.json = json;
    this.mapper = mapper;
  }

  /// Follows an order, as its caller may see it. `lastEventId` is the version that the client has
  /// seen; without a number in it, it has seen none. False when there are too many who follow.
  boolean follow(
      OrderView first, Caller caller, @Nullable String lastEventId, HttpServletResponse response)
      throws IOException, InterruptedException {
    return follow(first, lastEventId, response, view -> data(view, caller));
  }

  /// The same for who may know only that the order has moved.
  boolean followVersions(
      OrderView first, @Nullable String lastEventId, HttpServletResponse response)
      throws IOException, InterruptedException {
    return follow(first, lastEventId, response, _ -> "{}");
  }

  private boolean follow(
      OrderView first,
      @Nullable String lastEventId,
      HttpServletResponse response,
      Function<OrderView, String> shown)
      throws IOException, InterruptedException {
    if (!streams.tryAcquire()) return false;
    try (var watch = news.watch(first.id())) {
      response.setContentType("text/event-stream;charset=UTF-8");
      response.setHeader("Cache-Control", "no-store");
      response.setHeader("X-Accel-Buffering", "no");
      follow(first, seen(lastEventId), watch, new Told(response.getOutputStream(), shown));
      return true;
    } finally {
      streams.release();
    }
  }

  private static long seen(@Nullable String lastEventId) {
    return lastEventId != null && lastEventId.matches("[0-9]{1,18}")
        ? Long.parseLong(lastEventId)
        : 0;
  }

  private void follow(OrderView first, long lastSeen, OrderNews.Watch watch, Told told)
      throws IOException, InterruptedException {
    var view = first;
    long seen = lastSeen;
    long begun = System.nanoTime();
    long said = begun;
    while (System.nanoTime() - begun < LONGEST.toNanos()) {
      if (view.version() > seen) {
        told.event(view);
        seen = view.version();
        said = System.nanoTime();
      }
      if (view.standing().isFinal()) {
        told.write("event: end\ndata: {}\n\n");
        return;
      }
      if (System.nanoTime() - said > COMMENT_EVERY.toNanos()) {
        told.write(": still here\n\n");
        said = System.nanoTime();
      }
      watch.await(LOOK_AGAIN);
      view = desk.find(first.id()).orElse(view);
    }
  }

  private String data(OrderView view, Caller caller) {
    return mapper.writeValueAsString(json.of(view, caller));
  }

  private record Told(OutputStream out, Function<OrderView, String> shown) {

    void event(OrderView view) throws IOException {
      write("id: %d\nevent: order\ndata: %s\n\n".formatted(view.version(), shown.apply(view)));
    }

    void write(String text) throws IOException {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
  }
}
