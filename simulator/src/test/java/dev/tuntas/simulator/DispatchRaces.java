package dev.tuntas.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.rides.Dispatch.Booking;
import dev.tuntas.rides.Dispatch.Place;
import dev.tuntas.rides.Dispatch.Ride;
import dev.tuntas.rides.DispatchEvent;
import dev.tuntas.saga.Outcome;
import dev.tuntas.store.Tables;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// The dispatch partner in two processes, asked for everything at once in bad weather.
abstract class DispatchRaces {

  private static final int ORDERS = 40;
  private static final int THREADS = 6;
  private static final Place PLACE = new Place(-6.2, 106.8);

  private final Queue<DispatchEvent> heard = new ConcurrentLinkedQueue<>();
  private final Queue<Runnable> later = new ConcurrentLinkedQueue<>();

  abstract Tables open();

  private SimulatedDispatch start(Tables tables) {
    var partner =
        new SimulatedDispatch(
            tables,
            new Random(5),
            _ -> {},
            InstantSource.system(),
            (_, task) -> later.add(task),
            heard::add);
    partner.change(
        Map.of(
            "rate_limit_per_s",
            1_000_000,
            "callback_rate",
            1,
            "assign_delay_ms",
            0,
            "search_ms",
            0,
            "pick_up_ms",
            0,
            "trip_ms",
            0,
            "callback_delay_ms",
            0,
            "lost_reply_rate",
            0.2));
    return partner;
  }

  private static void atOnce(List<Callable<Outcome<Booking>>> calls) throws Exception {
    Collections.shuffle(calls, new Random(7));
    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      for (var call : threads.invokeAll(calls)) call.get();
    }
  }

  /// Everything that is due, several times over, on several threads.
  private void happen() throws Exception {
    while (!later.isEmpty()) {
      var calls = new ArrayList<Callable<Outcome<Booking>>>();
      for (var task = later.poll(); task != null; task = later.poll()) {
        var due = task;
        for (int i = 0; i < 2; i++) {
          calls.add(
              () -> {
                due.run();
                return Outcome.done(new Booking(""));
              });
        }
      }
      atOnce(calls);
    }
  }

  @Test
  void every_effect_happens_once_and_every_ride_ends() throws Exception {
    try (var tables = open()) {
      var partners = List.of(start(tables), start(tables));
      var calls = new ArrayList<Callable<Outcome<Booking>>>();
      for (int i = 0; i < ORDERS; i++) {
        var ride = new Ride("o-" + i, "c", "RIDE", PLACE, PLACE);
        var key = "ride-o-" + i;
        for (var partner : partners) calls.add(() -> partner.book(ride, key));
      }
      atOnce(calls);
      happen();

      calls.clear();
      for (int i = 0; i < ORDERS; i++) {
        var id = "bbd-ride-o-" + i;
        var number = i;
        for (var partner : partners) {
          calls.add(() -> partner.dispatch(id, 1, "dispatch-o-" + number));
          if (i % 2 == 0) calls.add(() -> partner.cancel(id, "cancel-o-" + number));
        }
      }
      atOnce(calls);
      happen();

      var entries = new ArrayList<String>();
      new Effects(tables).each(effect -> entries.add(effect.operation() + " " + effect.key()));
      assertThat(entries).doesNotHaveDuplicates();
      assertThat(entries.stream().filter(it -> it.startsWith("book "))).hasSize(ORDERS);
      assertThat(heard.stream().filter(it -> it.type() == DispatchEvent.Type.JOB_ASSIGNED))
          .hasSizeGreaterThanOrEqualTo(ORDERS);
      var completed = new HashSet<String>();
      heard.stream()
          .filter(it -> it.type() == DispatchEvent.Type.COMPLETED)
          .forEach(it -> completed.add(it.orderId()));
      for (int i = 1; i < ORDERS; i += 2) assertThat(completed).contains("o-" + i);
      var told = new HashSet<>(heard);
      var names = new HashSet<>(heard.stream().map(DispatchEvent::deliveryId).toList());
      assertThat(told).as("one name, one piece of news").hasSameSizeAs(names);
    }
  }
}
