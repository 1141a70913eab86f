package dev.tuntas.bench;

import static dev.tuntas.bench.Target.atLeast;
import static dev.tuntas.bench.Target.atMost;

import java.util.ArrayList;
import java.util.List;

/// What the engine should reach.
final class EngineTargets {

  private EngineTargets() {}

  static List<Target> of(BenchSettings settings, EngineResults results) {
    var lineUp = results.lineUp();
    boolean onSqlite = settings.store() == StoreKind.SQLITE;
    var few = results.few();
    var paced = results.paced();
    var targets = new ArrayList<Target>();
    targets.add(atLeast("times single-row commits", results.ratioTo(SingleCommits.NAME), 0.6));
    targets.add(atLeast("times bare group commit", results.ratioTo(lineUp.bare().name()), 0.25));
    targets.add(atMost("p99 ms, saturated", results.subject().p99(), 100));
    targets.add(atMost("p50 ms, 50 a second", paced.p50(), onSqlite ? 1.5 : 5));
    targets.add(atMost("p99 ms, 50 a second", paced.p99(), onSqlite ? 5 : 25));
    targets.add(atMost("commits per saga, 64 in flight", few.commitsPerSaga(), 0.2));
    targets.add(atMost("rows per saga, 64 in flight", few.rowsPerSaga(), 12));
    // SQLite does its work inside the JVM.
    targets.add(atMost("JVM CPU us per saga, 64 in flight", few.cpuMicros(), onSqlite ? 160 : 100));
    var dbos = lineUp.dbos();
    if (dbos != null) targets.add(atLeast("times DBOS", results.ratioTo(dbos.name()), 15));
    var scheduler = lineUp.dbScheduler();
    if (scheduler != null) {
      targets.add(atLeast("times db-scheduler", results.ratioTo(scheduler.name()), 8));
    }
    if (lineUp.loaded() != null) {
      targets.add(
          atLeast("times itself on empty tables", results.ratioTo(lineUp.plain().name()), 0.8));
    }
    return targets;
  }
}
