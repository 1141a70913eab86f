package dev.tuntas.bus;

import dev.tuntas.engine.Doorbell;
import dev.tuntas.engine.Trouble;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Rings over the bus. It keeps nobody waiting: what finds no room, or no broker, is dropped, and
/// whoever runs sagas finds them in the store a little later.
public final class BusDoorbell implements Doorbell, AutoCloseable {

  /// New orders.
  public static final String PLACED = "PlaceOrderRequest";

  /// Orders that were told something.
  public static final String TOLD = "ResumeOrderSaga";

  public static final Set<String> KINDS = Set.of(PLACED, TOLD);

  private static final Logger log = LoggerFactory.getLogger(BusDoorbell.class);
  private static final int WAITING_MAX = 10_000;
  private static final int BATCH = 500;
  private static final Duration REST = Duration.ofSeconds(1);
  private static final String SOURCE = "/tuntas/doorbell";

  private final Bus bus;
  private final InstantSource clock;
  private final BusTrace trace;
  private final BlockingQueue<Ring> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
  private final AtomicLong count = new AtomicLong();
  private final Thread thread;
  private final Trouble trouble = new Trouble(log, "The doorbell of the bus");
  private volatile boolean ended;

  private record Ring(String kind, String sagaId) {}

  public BusDoorbell(Bus bus, InstantSource clock, BusTrace trace) {
    this.bus = bus;
    this.clock = clock;
    this.trace = trace;
    this.thread = Thread.ofVirtual().name("bus-doorbell").start(this::run);
  }

  @Override
  public void ring(Reason reason, List<String> sagaIds) {
    var kind =
        switch (reason) {
          case PLACED -> PLACED;
          case TOLD -> TOLD;
        };
    for (var id : sagaIds) {
      if (!waiting.offer(new Ring(kind, id))) return;
    }
  }

  private Message message(Ring ring) {
    var kind = ring.kind;
    var sagaId = ring.sagaId;
    var id = kind + "/" + sagaId + "/" + count.incrementAndGet();
    var event =
        CloudEvent.of(id, SOURCE, kind, sagaId, clock.instant(), Map.of("order_id", sagaId));
    var headers =
        trace.sending(kind, sagaId).map(it -> Map.of(CloudEvent.TRACE, it)).orElse(Map.of());
    return new Message(id, kind, sagaId, event.write(), headers, false);
  }

  private void run() {
    var batch = new ArrayList<Ring>();
    while (!ended) {
      try {
        var first = waiting.poll(REST.toMillis(), TimeUnit.MILLISECONDS);
        if (first == null) continue;
        batch.add(first);
        waiting.drainTo(batch, BATCH - 1);
        bus.send(batch.stream().map(this::message).toList());
        trouble.worked();
      } catch (UnsentException _) {
        // no place for some of them, as the bus has said: a hint more or less
      } catch (BusAwayException away) {
        waiting.clear(); // they would be old news
        trouble.failed(away.toString());
        rest();
      } catch (InterruptedException _) {
        return;
      } catch (RuntimeException | Error e) {
        trouble.failed(e);
      } finally {
        batch.clear();
      }
    }
  }

  private void rest() {
    try {
      Thread.sleep(REST);
    } catch (InterruptedException _) {
      ended = true;
    }
  }

  @Override
  public void close() {
    ended = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
