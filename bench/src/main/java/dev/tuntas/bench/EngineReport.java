package dev.tuntas.bench;

import static dev.tuntas.bench.Figures.plain;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/// Tells what was measured: tables for people, then a line of JSON.
final class EngineReport {

  private final BenchSettings settings;
  private final EngineResults results;
  private final LineUp lineUp;
  private final List<Target> targets;

  EngineReport(BenchSettings settings, EngineResults results) {
    this.settings = settings;
    this.results = results;
    this.lineUp = results.lineUp();
    this.targets = EngineTargets.of(settings, results);
  }

  void print(PrintWriter out) {
    out.printf(
        "Checkout sagas on %s, %d in flight; medians of %d rounds of %s s; costs per saga%n%n",
        settings.store().title(),
        settings.inFlight(),
        BenchSettings.ROUNDS,
        plain(settings.round().toMillis() / 1e3));
    systems().print(out);
    out.println();
    targets().print(out);
    out.println();
    out.println(JsonMapper.shared().writeValueAsString(json()));
    out.flush();
  }

  private TextTable systems() {
    var table =
        new TextTable(
            "system", "per second", "ratio", "p50 ms", "p99 ms", "commits", "rows", "JVM CPU us");
    add(table, SingleCommits.NAME, results.of(SingleCommits.NAME), 1);
    for (var contender : lineUp.contenders()) {
      var name = contender.name();
      add(table, name, results.of(name), results.ratio(name, SingleCommits.NAME));
    }
    var subject = lineUp.subject().name();
    add(table, subject + ", " + EngineRun.FEW_IN_FLIGHT + " in flight", results.few(), Double.NaN);
    var pace = ", " + EngineRun.PACE_PER_SECOND + " a second";
    add(table, subject + pace, results.paced(), Double.NaN);
    var disk = results.disk();
    if (disk != null) add(table, DiskAlone.NAME + pace, disk, Double.NaN);
    return table;
  }

  private static void add(TextTable table, String name, Sample sample, double ratio) {
    table.row(
        name,
        plain(sample.perSecond()),
        plain(ratio),
        plain(sample.p50()),
        plain(sample.p99()),
        plain(sample.commitsPerSaga()),
        plain(sample.rowsPerSaga()),
        plain(sample.cpuMicros()));
  }

  private TextTable targets() {
    var table = new TextTable("figure", "measured", "target", "met");
    for (var target : targets) target.addTo(table);
    return table;
  }

  /// Others read these fields: more may come, none may go.
  private Map<String, Object> json() {
    var json = new Fields();
    var subject = results.subject();
    json.put("store", settings.store().toString());
    json.put("sagas_per_second", subject.perSecond());
    json.put("ratio_to_single_commit", results.ratioTo(SingleCommits.NAME));
    json.put("ratio_to_naive_jdbc", results.ratioTo(lineUp.naive().name()));
    json.put("ratio_to_group_commit_baseline", results.ratioTo(lineUp.bare().name()));
    json.put("p50_ms", results.paced().p50());
    json.put("p99_ms", results.paced().p99());
    json.put("commits_per_saga", subject.commitsPerSaga());
    json.put("rows_per_saga", subject.rowsPerSaga());
    json.put("jvm_cpu_us_per_saga", subject.cpuMicros());
    json.put("in_flight", settings.inFlight());
    json.put("saturated_p50_ms", subject.p50());
    json.put("saturated_p99_ms", subject.p99());
    json.put("single_commits_per_second", results.of(SingleCommits.NAME).perSecond());
    json.put("naive_jdbc_sagas_per_second", results.of(lineUp.naive().name()).perSecond());
    json.put("baseline_sagas_per_second", results.of(lineUp.bare().name()).perSecond());
    addFewAndPaced(json);
    addPeers(json);
    addLoaded(json);
    json.put("targets", targets.size());
    json.put("targets_met", targets.stream().filter(Target::met).count());
    return json.map;
  }

  private void addFewAndPaced(Fields json) {
    var few = results.few();
    json.put("sagas_per_second_at_64", few.perSecond());
    json.put("commits_per_saga_at_64", few.commitsPerSaga());
    json.put("rows_per_saga_at_64", few.rowsPerSaga());
    json.put("jvm_cpu_us_per_saga_at_64", few.cpuMicros());
    json.put("paced_per_second", EngineRun.PACE_PER_SECOND);
    json.put("paced_p50_ms", results.paced().p50());
    json.put("paced_p99_ms", results.paced().p99());
    var disk = results.disk();
    if (disk == null) return;
    json.put("disk_p50_ms", disk.p50());
    json.put("disk_p99_ms", disk.p99());
  }

  private void addPeers(Fields json) {
    var dbos = lineUp.dbos();
    if (dbos != null) {
      json.put("ratio_to_dbos", results.ratioTo(dbos.name()));
      json.put("dbos_sagas_per_second", results.of(dbos.name()).perSecond());
    }
    var scheduler = lineUp.dbScheduler();
    if (scheduler != null) {
      json.put("ratio_to_db_scheduler", results.ratioTo(scheduler.name()));
      json.put("db_scheduler_sagas_per_second", results.of(scheduler.name()).perSecond());
    }
  }

  private void addLoaded(Fields json) {
    if (lineUp.loaded() == null) return;
    json.put("preload", settings.preload());
    json.put("waiting", settings.waiting());
    json.put("plain_sagas_per_second", results.of(lineUp.plain().name()).perSecond());
    json.put("ratio_to_plain", results.ratioTo(lineUp.plain().name()));
  }

  private static final class Fields {
    private final Map<String, Object> map = new LinkedHashMap<>();

    void put(String name, String value) {
      map.put(name, value);
    }

    void put(String name, long value) {
      map.put(name, value);
    }

    void put(String name, double value) {
      map.put(name, Figures.rounded(value));
    }
  }
}
