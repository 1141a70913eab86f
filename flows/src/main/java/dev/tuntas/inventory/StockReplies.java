package dev.tuntas.inventory;

import dev.tuntas.bus.Bus;
import dev.tuntas.bus.CloudEvent;
import dev.tuntas.bus.Handler;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.Once;
import dev.tuntas.bus.Refused;
import dev.tuntas.bus.Subscription;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/// What the inventory answered to commands, by the keys of their effects: any process may hear an
/// answer, and every one can look it up.
public final class StockReplies {

  public static final String QUEUE = "tuntas-orders";

  public static final Set<String> KINDS =
      Set.of(
          StockMessages.RESERVED,
          StockMessages.RESERVE_FAILED,
          StockMessages.RELEASED,
          StockMessages.RELEASE_FAILED);

  private static final Duration LOOK_EVERY = Duration.ofMillis(50);
  private static final int PURGE_BATCH = 1_000;

  private static final String RECORD =
      "insert into bus_reply (key, kind, body, at) values (?, ?, ?, ?) on conflict do nothing";

  private static final String FIND = "select key, kind, body from bus_reply where key = any (?)";

  private static final String PURGE =
      "delete from bus_reply where key in (select key from bus_reply where at < ? limit ?)";

  private final Tables tables;
  private final InstantSource clock;
  private final Map<String, CompletableFuture<CloudEvent>> waiting = new ConcurrentHashMap<>();
  private final ReentrantLock looking = new ReentrantLock();

  public StockReplies(Tables tables, InstantSource clock) {
    this.tables = tables;
    this.clock = clock;
  }

  /// Records answers from now on.
  public Subscription listen(Bus bus, Once once) {
    return bus.listen(QUEUE, KINDS, handler(once));
  }

  Handler handler(Once once) {
    return once.writing(event -> keyOf(event), this::put);
  }

  private void put(Session session, CloudEvent event) throws SQLException {
    try {
      session.update(RECORD, keyOf(event), event.type(), event.write(), clock.instant());
    } catch (Refused checkedBefore) {
      throw new IllegalStateException(checkedBefore);
    }
  }

  private static String keyOf(CloudEvent event) throws Refused {
    return switch (event.type()) {
      case StockMessages.RESERVED -> event.data(StockMessages.Reserved.class).key();
      case StockMessages.RESERVE_FAILED, StockMessages.RELEASE_FAILED ->
          event.data(StockMessages.Declined.class).key();
      case StockMessages.RELEASED -> event.data(StockMessages.Released.class).key();
      default -> throw new Refused("The inventory answers nothing like " + event.type() + ".");
    };
  }

  /// The answer under this key, if it comes in time. Of all that wait here one looks for all.
  Optional<CloudEvent> await(String key, Duration atMost) throws InterruptedException {
    var mine = waiting.computeIfAbsent(key, _ -> new CompletableFuture<>());
    long end = System.nanoTime() + atMost.toNanos();
    try {
      do {
        look();
        try {
          return Optional.of(mine.get(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException _) {
          // look again
        }
      } while (System.nanoTime() < end);
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } finally {
      waiting.remove(key, mine);
    }
  }

  private void look() {
    if (!looking.tryLock()) return;
    try {
      var keys = List.copyOf(waiting.keySet());
      for (var reply : tables.read("look for answers", session -> find(session, keys))) {
        var one = waiting.get(reply.key);
        if (one != null) one.complete(reply.event());
      }
    } finally {
      looking.unlock();
    }
  }

  private record Reply(String key, String kind, String body) {

    /// It was read when it came.
    CloudEvent event() {
      try {
        return CloudEvent.read(Message.event("reply/" + key, kind, key, body));
      } catch (Refused e) {
        throw new IllegalStateException("the answer under " + key + " cannot be read", e);
      }
    }
  }

  static boolean has(Session session, String key) throws SQLException {
    return !find(session, List.of(key)).isEmpty();
  }

  private static List<Reply> find(Session session, List<String> keys) throws SQLException {
    return session.list(
        FIND, row -> new Reply(row.getString(1), row.getString(2), row.getString(3)), keys);
  }

  /// Forgets one batch of old answers. Returns whether there may be more.
  public static boolean purge(Tables tables, InstantSource clock) {
    var before = clock.instant().minus(Once.KEEP);
    return tables.write("forget old answers", session -> session.update(PURGE, before, PURGE_BATCH))
        == PURGE_BATCH;
  }
}
