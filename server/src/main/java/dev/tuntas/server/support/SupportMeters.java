package dev.tuntas.server.support;

import dev.tuntas.orders.RideMetric;
import dev.tuntas.store.Tables;
import dev.tuntas.support.Tickets;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/// How much waits for people. Read from the database when somebody asks, so that every process
/// tells the same; what cannot be read is not a number.
public final class SupportMeters implements MeterBinder {

  private final Tables tables;
  private final DeadLetters letters;
  private final Tickets tickets = new Tickets();

  public SupportMeters(Tables tables, DeadLetters letters) {
    this.tables = tables;
    this.letters = letters;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder(RideMetric.REFUND_QUEUE.metricName(), count(Tickets.Counts::refunds))
        .description(RideMetric.REFUND_QUEUE.help())
        .register(registry);
    Gauge.builder("support_tickets_open", count(Tickets.Counts::open))
        .description("Tickets that are not resolved")
        .register(registry);
    Gauge.builder("support_tickets_overdue", count(Tickets.Counts::overdue))
        .description("Open tickets that are past their time")
        .register(registry);
    for (var queue : DeadLetters.QUEUES) {
      Gauge.builder("dead_letters", orNothing(() -> letters.count(queue)))
          .tag("queue", queue)
          .description("What was given up on and waits for a person")
          .register(registry);
    }
  }

  private Supplier<Number> count(ToLongFunction<Tickets.Counts> part) {
    return orNothing(
        () -> part.applyAsLong(tables.read("count tickets", session -> tickets.counts(session))));
  }

  private static Supplier<Number> orNothing(Supplier<Number> number) {
    return () -> {
      try {
        return number.get();
      } catch (RuntimeException _) {
        return Double.NaN;
      }
    };
  }
}
