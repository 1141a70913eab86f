package dev.tuntas.bench.http;

import static dev.tuntas.bench.Figures.plain;

import dev.tuntas.bench.Figures;
import dev.tuntas.bench.StoreKind;
import dev.tuntas.bench.TextTable;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/// What was measured on one store.
///
/// @param capacity the highest rate of acceptances that clients got who wait for their answer
record HttpResult(StoreKind store, double capacity, List<Phase> phases) {

  HttpResult {
    phases = List.copyOf(phases);
  }

  private Phase half() {
    return phases.getFirst();
  }

  private Phase most() {
    return phases.getLast();
  }

  /// Where least was left under more load than it can take. As much as it can take tells nothing
  /// here: where the peak is above the capacity that was found, no more was asked for.
  private Phase worst() {
    return phases.stream()
        .filter(phase -> phase.factor() > 1)
        .min(Comparator.comparingDouble(Phase::goodput))
        .orElseThrow();
  }

  private double peak() {
    return phases.stream().mapToDouble(Phase::goodput).max().orElse(Double.NaN);
  }

  /// What is left of the peak under the load that does the most harm.
  private double kept() {
    return worst().goodput() / peak();
  }

  /// The same under the most load.
  private double keptOfMost() {
    return most().goodput() / peak();
  }

  /// Of what is left: that of both rates together.
  private double uncertainty() {
    double peak =
        phases.stream()
            .max(Comparator.comparingDouble(Phase::goodput))
            .map(Phase::uncertainty)
            .orElse(Double.NaN);
    return Math.hypot(peak, worst().uncertainty());
  }

  void print(PrintWriter out) {
    out.printf(
        "%s: %s orders accepted per second at most; all rates per second%n%n",
        store.title(), plain(capacity));
    var table =
        new TextTable(
            "load",
            "offered",
            "accepted in 1 s",
            "p50 ms",
            "p99 ms",
            "shed",
            "shed p99 ms",
            "not sent",
            "failed",
            "ended",
            "goodput",
            "+-",
            "backlog",
            "CPU: server",
            "load");
    for (var phase : phases) row(table, phase);
    table.print(out);
    out.printf(
        "%nUnder the most load %s of the peak are left; under too much load at least %s +- %s, at"
            + " %s times the capacity.%n%n",
        percent(keptOfMost()), percent(kept()), percent(uncertainty()), plain(worst().factor()));
  }

  private static void row(TextTable table, Phase phase) {
    var tally = phase.tally();
    table.row(
        "x " + plain(phase.factor()),
        plain(phase.offered()),
        plain(phase.acceptedInTime()),
        plain(tally.acceptMillis(0.5)),
        plain(tally.acceptMillis(0.99)),
        plain(phase.shedPerSecond()),
        plain(tally.shedMillis(0.99)),
        plain(phase.notSentPerSecond()),
        plain(tally.failed() / phase.seconds()),
        plain(phase.endedPerSecond()),
        plain(phase.goodput()),
        percent(phase.uncertainty()),
        (phase.change().backlog() > 0 ? "+" : "") + plain(phase.change().backlog()),
        percent(phase.change().cpu().server()),
        percent(phase.change().cpu().load()));
  }

  private static String percent(double share) {
    return Math.round(share * 100) + " %";
  }

  /// Others read these fields: more may come, none may go.
  String json() {
    var json = new LinkedHashMap<String, Object>();
    json.put("store", store.toString());
    put(json, "accepted_per_second", capacity);
    put(json, "p50_ms", half().tally().acceptMillis(0.5));
    put(json, "p99_ms", half().tally().acceptMillis(0.99));
    var goodput = new LinkedHashMap<String, BigDecimal>();
    for (var phase : phases) {
      goodput.put(plain(phase.factor()), Figures.rounded(phase.goodput()));
    }
    json.put("goodput", goodput);
    put(json, "goodput_kept", kept());
    put(json, "goodput_kept_at_10", keptOfMost());
    put(json, "goodput_uncertainty", uncertainty());
    put(json, "shed_p99_ms", most().tally().shedMillis(0.99));
    put(json, "ended_per_second", half().endedPerSecond());
    return JsonMapper.shared().writeValueAsString(json);
  }

  private static void put(Map<String, Object> json, String name, double value) {
    if (!Double.isNaN(value)) json.put(name, Figures.rounded(value));
  }
}
