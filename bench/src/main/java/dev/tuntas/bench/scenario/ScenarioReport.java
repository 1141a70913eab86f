package dev.tuntas.bench.scenario;

import dev.tuntas.bench.Figures;
import dev.tuntas.bench.TextTable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What came of a scenario, for people and, in its last line, for programs.
final class ScenarioReport {

  private final ScenarioResult result;

  ScenarioReport(ScenarioResult result) {
    this.result = result;
  }

  void print(PrintWriter out, Path picture) {
    out.println(heading());
    out.println();
    var table = new TextTable("KPI", "value", "target", "");
    for (var kpi : Kpi.of(result)) table.row(kpi.name(), kpi.value(), kpi.target(), kpi.met());
    table.print(out);
    out.println();
    facts().forEach(out::println);
    out.println("picture: " + picture);
    result.sentences().forEach(it -> out.println("VIOLATED: " + it));
    out.println(json());
    out.flush();
  }

  private String heading() {
    var settings = result.settings();
    return "scenario %s: %s orders/s for %s minutes of %s time, seed %d, partner's limit %d/s"
        .formatted(
            settings.scenario().word(),
            Figures.plain(settings.rate()),
            Figures.plain(settings.minutes().toMillis() / 60_000.0),
            result.real() ? "real" : "virtual",
            settings.seed(),
            settings.rateLimit());
  }

  private List<String> facts() {
    var orders = result.orders();
    var calls = result.calls();
    var facts = new ArrayList<String>();
    facts.add(
        "%,d customers, %,d orders, %,d with a job id; %s"
            .formatted(
                result.customers(), orders.accepted(), orders.withJobId(), ends(orders.ends())));
    facts.add(
        "time to job id: p50 %s s, p95 %s s, p99 %s s, longest %s s"
            .formatted(seconds(0.5), seconds(0.95), seconds(0.99), seconds(1)));
    facts.add(
        "partner: %,d calls, %,d of them for job ids; at most %d in any second of %d; %d refused"
            .formatted(
                calls.all(),
                calls.forJobIds(),
                calls.highestPerSecond(),
                result.settings().rateLimit(),
                calls.refused()));
    var flood = result.flood();
    facts.add(
        "areas: at most %s waiting; %,d refusals%s"
            .formatted(
                new TreeMap<>(flood.highest()),
                flood.refusals(),
                flood.refusals() == 0
                    ? ""
                    : ", p99 %s ms".formatted(Figures.plain(flood.refusalMsP99()))));
    var early = result.usage().early();
    var late = result.usage().late();
    if (early != null && late != null) {
      facts.add(
          "heap after GC: %.0f MB early, %.0f MB at the end; threads: %d and %d"
              .formatted(early.heapMb(), late.heapMb(), early.threads(), late.threads()));
    }
    facts.add("alerts: " + (result.alerts().isEmpty() ? "none" : alerts()));
    facts.add(
        "it took %s s, in which %s s passed"
            .formatted(
                Figures.plain(result.seconds().real()),
                Figures.plain(result.seconds().scenario())));
    return facts;
  }

  private String seconds(double share) {
    return Figures.plain(result.orders().toJobId().seconds(share));
  }

  private static String ends(Map<String, Long> ends) {
    return ends.entrySet().stream()
        .map(it -> it.getKey() + " " + it.getValue())
        .collect(Collectors.joining(", "));
  }

  private String alerts() {
    return result.alerts().entrySet().stream()
        .map(it -> "%s (after %.0f min)".formatted(it.getKey(), it.getValue() / 60))
        .collect(Collectors.joining(", "));
  }

  /// The last line.
  String json() {
    var orders = result.orders();
    var calls = result.calls();
    var fields = new ArrayList<String>();
    fields.add(text("scenario", result.settings().scenario().word()));
    fields.add(number("orders", orders.accepted()));
    fields.add(number("with_job_id", orders.withJobId()));
    fields.add(number("within_30_min", orders.within30Min()));
    fields.add(number("p95_seconds_to_job_id", orders.toJobId().seconds(0.95)));
    fields.add(number("callback_rate", orders.callbackShare()));
    fields.add(number("call_reduction", calls.reduction()));
    fields.add(number("manual", orders.manual()));
    fields.add(number("status_updates_ok", orders.updatesOk()));
    fields.add(number("partner_calls_per_second_max", calls.highestPerSecond()));
    fields.add(number("rate_limit", result.settings().rateLimit()));
    fields.add("\"alerts\":" + names());
    fields.add(number("violations", (double) result.violations()));
    fields.add(number("customers", result.customers()));
    fields.add(number("refusals", (double) result.flood().refusals()));
    fields.add(number("refusal_ms_p99", result.flood().refusalMsP99()));
    fields.add(number("partner_calls", (double) calls.all()));
    fields.add(number("partner_refusals", (double) calls.refused()));
    fields.add(number("p50_seconds_to_job_id", orders.toJobId().seconds(0.5)));
    fields.add(number("seconds", result.seconds().scenario()));
    fields.add(number("real_seconds", result.seconds().real()));
    fields.add(number("seed", (double) result.settings().seed()));
    fields.add("\"real\":" + result.real());
    return fields.stream().collect(Collectors.joining(",", "{", "}"));
  }

  private String names() {
    return result.alerts().keySet().stream()
        .map(it -> '"' + it + '"')
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String text(String name, String value) {
    return "\"" + name + "\":\"" + value + "\"";
  }

  /// A whole number in full; what is not known is null.
  private static String number(String name, double value) {
    var shown =
        Double.isNaN(value) || Double.isInfinite(value)
            ? "null"
            : value == Math.rint(value) ? Long.toString((long) value) : rounded(value);
    return "\"" + name + "\":" + shown;
  }

  private static String rounded(double value) {
    return Double.toString(Math.round(value * 10_000) / 10_000.0);
  }
}
