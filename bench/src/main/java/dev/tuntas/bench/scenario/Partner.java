package dev.tuntas.bench.scenario;

import dev.tuntas.rides.Dispatch;
import dev.tuntas.saga.Outcome;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;

/// Counts what goes to the partner, by what it is for and by second.
final class Partner implements Dispatch {

  enum Kind {
    BOOK,
    JOB,
    DISPATCH,
    CANCEL
  }

  private final Dispatch partner;
  private final InstantSource clock;
  private final Map<Kind, Long> calls = new EnumMap<>(Kind.class);
  private final Curve perSecond = new Curve(1_000);

  Partner(Dispatch partner, InstantSource clock) {
    this.partner = partner;
    this.clock = clock;
    for (var kind : Kind.values()) calls.put(kind, 0L);
  }

  long calls(Kind kind) {
    return calls.getOrDefault(kind, 0L);
  }

  /// Calls of each second since the start.
  Curve perSecond() {
    return perSecond;
  }

  @Override
  public Outcome<Booking> book(Ride ride, String key) {
    count(Kind.BOOK);
    return partner.book(ride, key);
  }

  @Override
  public Outcome<Job> job(String bookingId) {
    count(Kind.JOB);
    return partner.job(bookingId);
  }

  @Override
  public Outcome<Booking> dispatch(String bookingId, int attempt, String key) {
    count(Kind.DISPATCH);
    return partner.dispatch(bookingId, attempt, key);
  }

  @Override
  public Outcome<Booking> cancel(String bookingId, String key) {
    count(Kind.CANCEL);
    return partner.cancel(bookingId, key);
  }

  private void count(Kind kind) {
    calls.merge(kind, 1L, Long::sum);
    perSecond.add(clock.millis() - Agenda.START.toEpochMilli(), 1);
  }
}
