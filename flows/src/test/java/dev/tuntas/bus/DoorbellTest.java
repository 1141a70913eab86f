package dev.tuntas.bus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.bus.Attempts.Patience;
import dev.tuntas.engine.Doorbell.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DoorbellTest {

  private static final Patience QUICK = new Patience(3, Duration.ZERO, Duration.ofMillis(5));
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private final MemoryBus bus = new MemoryBus(QUICK, BusWatch.NONE);
  private final BlockingQueue<String> answered = new LinkedBlockingQueue<>();
  private final AtomicBoolean full = new AtomicBoolean();
  private final BusDoorbell bell = new BusDoorbell(bus, () -> Instant.EPOCH, new Traced());

  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  private final class Traced implements BusTrace {
    @Override
    public Optional<String> sending(String kind, String sagaId) {
      return Optional.of(TRACE);
    }

    @Override
    public void heard(String kind, String sagaId, @Nullable String trace) {
      heard.add(kind + " " + sagaId + " " + trace);
    }
  }

  @AfterEach
  void end() {
    bell.close();
    bus.close();
  }

  private boolean answer(Collection<String> sagaIds) {
    answered.addAll(sagaIds);
    return !full.get();
  }

  private String next() throws InterruptedException {
    return answered.poll(20, TimeUnit.SECONDS);
  }

  @Test
  void who_runs_sagas_hears_of_those_that_are_new_and_those_that_were_told_something()
      throws Exception {
    try (var _ = new DoorbellListener(bus, this::answer, new Traced())) {
      bell.ring(Reason.PLACED, List.of("ord_1"));
      assertThat(next()).isEqualTo("ord_1");
      bell.ring(Reason.TOLD, List.of("ord_2"));
      assertThat(next()).isEqualTo("ord_2");
    }
    assertThat(heard)
        .containsExactly("PlaceOrderRequest ord_1 " + TRACE, "ResumeOrderSaga ord_2 " + TRACE);
  }

  @Test
  void a_ring_is_an_event_with_its_trace() throws Exception {
    var heard = new LinkedBlockingQueue<Message>();
    bus.listen("spy", Set.of("PlaceOrderRequest"), heard::add);
    bell.ring(Reason.PLACED, List.of("ord_1"));

    var ring = heard.poll(20, TimeUnit.SECONDS);
    assertThat(ring.headers()).containsEntry("traceparent", TRACE);
    assertThat(CloudEvent.read(ring).subject()).isEqualTo("ord_1");
  }

  @Test
  void who_is_full_takes_no_rings_until_there_is_room() throws Exception {
    try (var listener = new DoorbellListener(bus, this::answer, new Traced())) {
      full.set(true);
      bell.ring(Reason.PLACED, List.of("ord_1"));
      assertThat(next()).isEqualTo("ord_1");
      while (!listener.look()) Thread.onSpinWait();

      var others = new LinkedBlockingQueue<Message>();
      bus.listen("control", Set.of("PlaceOrderRequest"), others::add);
      bell.ring(Reason.PLACED, List.of("ord_2"));
      assertThat(others.poll(20, TimeUnit.SECONDS)).isNotNull();
      assertThat(answered).isEmpty();

      full.set(false);
      assertThat(listener.look()).isFalse();
      assertThat(next()).isEqualTo("ord_2");
    }
  }

  @Test
  void without_a_broker_rings_are_dropped_and_nobody_waits() {
    bus.away(true);
    var ids = List.of("ord_1");
    for (int i = 0; i < 50_000; i++) bell.ring(Reason.PLACED, ids);
  }
}
