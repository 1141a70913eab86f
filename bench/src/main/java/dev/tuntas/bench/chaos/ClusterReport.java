package dev.tuntas.bench.chaos;

import static dev.tuntas.bench.Figures.plain;
import static dev.tuntas.bench.Figures.rounded;

import java.io.PrintWriter;
import java.util.ArrayList;

/// What came of a run against a cluster.
///
/// @param fenced writes that were refused because somebody else owned the saga by then
record ClusterReport(
    ChaosReport orders,
    ClusterNemesis nemesis,
    Falls.Figures falls,
    Handovers.Figures taken,
    BusBook bus,
    BrokerLog log,
    long fenced) {

  long violations() {
    return orders.violations();
  }

  void print(PrintWriter out) {
    orders.printOrders(out);
    out.println(
        "%d kills, %d pauses, %d restarts of PostgreSQL, %d of the broker, %d losses of Redis"
            .formatted(
                nemesis.kills(),
                nemesis.pauses(),
                nemesis.postgresRestarts(),
                nemesis.kafkaRestarts() + nemesis.rabbitRestarts(),
                nemesis.redisFlushes()));
    out.println(
        "%d sagas were taken over, %d writes of those who were taken for dead refused; of %d falls that"
                .formatted(taken.count(), fenced, falls.timed())
            + " could be timed the slowest was made good for after "
            + plain(falls.takeOverSecondsMax())
            + " s");
    orders.printViolations(out);
    out.println(json());
    out.flush();
  }

  private String json() {
    var fields = new ArrayList<>(orders.outcome());
    fields.add(ChaosReport.field("kills", nemesis.kills()));
    fields.add(ChaosReport.field("pauses", nemesis.pauses()));
    fields.add(ChaosReport.field("postgres_restarts", nemesis.postgresRestarts()));
    fields.add(ChaosReport.field("kafka_restarts", nemesis.kafkaRestarts()));
    fields.add(ChaosReport.field("rabbitmq_restarts", nemesis.rabbitRestarts()));
    fields.add(ChaosReport.field("queues_deleted", nemesis.queuesDeleted()));
    fields.add(ChaosReport.field("redis_flushes", nemesis.redisFlushes()));
    fields.add(ChaosReport.field("fenced", fenced));
    fields.add(ChaosReport.field("taken_over", taken.count()));
    fields.add(ChaosReport.field("taken_from_living", taken.fromLiving()));
    fields.add(ChaosReport.field("falls", falls.falls()));
    fields.add(ChaosReport.field("falls_timed", falls.timed()));
    fields.add(ChaosReport.field("take_over_s_max", rounded(falls.takeOverSecondsMax())));
    fields.add(ChaosReport.field("went_on_s_max", rounded(falls.wentOnSecondsMax())));
    fields.add(ChaosReport.field("double_runs", taken.doubleRuns()));
    fields.add(ChaosReport.field("messages_published", bus.published()));
    fields.add(ChaosReport.field("messages_expired", bus.failed()));
    fields.add(ChaosReport.field("messages_pending", bus.pending()));
    fields.add(ChaosReport.field("events_heard", log.heard()));
    fields.addAll(orders.run());
    return "{" + String.join(",", fields) + "}";
  }
}
