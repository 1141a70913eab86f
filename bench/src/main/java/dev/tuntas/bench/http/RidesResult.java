package dev.tuntas.bench.http;

import static dev.tuntas.bench.Figures.plain;

import dev.tuntas.bench.Figures;
import dev.tuntas.bench.TextTable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/// How the server fared with many rides that wait.
///
/// @param waiting how many waited at once
/// @param filling seconds until all were accepted
/// @param booking seconds until all were booked, from the same moment
/// @param heap bytes that were in use after garbage was collected
/// @param asked calls to the partner per second while all waited
/// @param traffic the partner's own count, of the whole run
/// @param assigning seconds until all had their job ids, from the moment at which the partner went
///   on
/// @param left how many had none when the run was over
record RidesResult(
    RidesRun.Wanted wanted,
    long waiting,
    double filling,
    double booking,
    RidesRun.FrontDoor front,
    long heap,
    double asked,
    Operator.Traffic traffic,
    double assigning,
    long left) {

  private static final double MB = 1 << 20;

  /// An answer that takes longer is of no use to anybody who waits.
  private static final double USEFUL_MS = Tally.USEFUL_NANOS / 1e6;

  /// What was not as it must be; nothing if all was.
  List<String> wrong() {
    var wrong = new ArrayList<String>();
    if (waiting < wanted.waiting()) wrong.add("only " + waiting + " rides waited at once");
    if (heap / MB >= RidesRun.HEAP_MB) wrong.add("the heap held " + megabytes() + " MB");
    if (traffic.violations() > 0) {
      wrong.add(traffic.violations() + " calls went beyond the partner's limit");
    }
    check(wrong, "new rides", front.accepting());
    check(wrong, "looks", front.showing());
    if (left > 0) wrong.add(left + " rides were left without a job id");
    return wrong;
  }

  private static void check(List<String> wrong, String what, Tally tally) {
    long lost = tally.failed() + tally.shed() + tally.notSent();
    if (lost > 0) wrong.add(lost + " " + what + " were not answered as they should be");
    if (!(tally.acceptMillis(0.99) <= USEFUL_MS)) {
      wrong.add("the slowest hundredth of " + what + " took " + plain(tally.acceptMillis(0.99)));
    }
  }

  private String megabytes() {
    return plain(heap / MB);
  }

  void print(PrintWriter out) {
    var table = new TextTable("", "found", "must be");
    table.row(
        "rides that wait for job ids", plain((double) waiting), "at least " + wanted.waiting());
    table.row("accepted per second while filling", plain(waiting / filling), "");
    table.row("all booked after, s", plain(booking), "");
    table.row("heap in use, MB", megabytes(), "below " + RidesRun.HEAP_MB);
    row(table, "new ride", front.accepting());
    row(table, "look at a ride", front.showing());
    table.row("calls to the partner per second", plain(asked), "");
    table.row(
        "most calls in any second", plain(traffic.highestPerSecond()), "at most " + wanted.rate());
    table.row("calls beyond the limit", plain((double) traffic.violations()), "0");
    table.row("all have job ids after, s", plain(assigning), "");
    table.row("left without", plain((double) left), "0");
    table.print(out);
    out.println();
    wrong().forEach(what -> out.println("Not as it must be: " + what + "."));
  }

  private static void row(TextTable table, String what, Tally tally) {
    table.row(
        what + ", p50 / p99 ms",
        plain(tally.acceptMillis(0.5)) + " / " + plain(tally.acceptMillis(0.99)),
        "p99 at most " + plain(USEFUL_MS));
  }

  /// Others read these fields: more may come, none may go.
  String json() {
    var json = new LinkedHashMap<String, Object>();
    json.put("waiting", waiting);
    put(json, "fill_seconds", filling);
    put(json, "booked_seconds", booking);
    put(json, "heap_mb", heap / MB);
    put(json, "p50_ms", front.accepting().acceptMillis(0.5));
    put(json, "p99_ms", front.accepting().acceptMillis(0.99));
    put(json, "get_p50_ms", front.showing().acceptMillis(0.5));
    put(json, "get_p99_ms", front.showing().acceptMillis(0.99));
    put(json, "partner_calls_per_second", asked);
    json.put("partner_calls_per_second_max", traffic.highestPerSecond());
    json.put("rate_limit", wanted.rate());
    json.put("rate_limited", traffic.violations());
    put(json, "seconds_to_all_job_ids", assigning);
    json.put("without_job_id", left);
    json.put("violations", wrong().size());
    return JsonMapper.shared().writeValueAsString(json);
  }

  private static void put(Map<String, Object> json, String name, double value) {
    if (!Double.isNaN(value)) json.put(name, Figures.rounded(value));
  }
}
