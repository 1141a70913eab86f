package dev.tuntas.bench.scenario;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.Progress;
import dev.tuntas.bench.alerts.AlertRule;
import dev.tuntas.bench.alerts.AlertWatch;
import dev.tuntas.bench.alerts.Samples;
import dev.tuntas.bench.scenario.Crowd.Person;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// A scenario in real time against a running server: orders go in over HTTP, and what becomes of
/// them is read from its API and its metrics. The partner's manners and the flags are put back in
/// the end, also if the run is broken off.
final class RealScenario {

  private static final String PARTNER = "/sim/bbd";
  private static final String FLAGS = "/api/v1/admin/flags";
  private static final Duration SCRAPE = Duration.ofSeconds(5);
  private static final Duration LOOK_FIRST = Duration.ofMillis(500);
  private static final Duration LOOK_LAST = Duration.ofSeconds(5);

  private final ScenarioSettings settings;
  private final Api api;
  private final List<AlertRule> rules;
  private final Progress progress;
  private final String phase;
  private final Violations violations = new Violations();
  private final SplittableRandom chance;
  private final AtomicBoolean restored = new AtomicBoolean();
  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final Spread toJobId = new Spread();
  private final List<Spread> byMinute = new ArrayList<>();
  private final Spread refusalMicros = new Spread();
  private final Samples samples = new Samples();
  private final Map<String, Curve> waiting = new TreeMap<>();
  private final Map<String, Integer> highest = new TreeMap<>();
  private final Curve calls = new Curve(SCRAPE.toMillis());
  private final long startedAt = System.nanoTime();
  private long callsBefore;
  private Object flagsBefore = Map.of();

  /// @param phase what is shown while orders come in
  RealScenario(
      ScenarioSettings settings, Api api, List<AlertRule> rules, Progress progress, String phase) {
    this.settings = settings;
    this.api = api;
    this.rules = rules;
    this.progress = progress;
    this.phase = phase;
    this.chance = new SplittableRandom(settings.seed());
  }

  ScenarioResult run() throws IOException, InterruptedException {
    var end = new Thread(this::restoreQuietly);
    flagsBefore = JsonMapper.shared().readTree(api.read(FLAGS));
    Runtime.getRuntime().addShutdownHook(end);
    try (var timer = Executors.newSingleThreadScheduledExecutor()) {
      begin();
      var before = scrape();
      var traffic = traffic();
      callsBefore = traffic.calls();
      var watch = new AlertWatch(rules, samples);
      later(timer, watch);
      var customers = customers();
      timer.shutdownNow();
      var after = scrape();
      return result(customers, before, after, traffic, watch);
    } finally {
      restore();
      Runtime.getRuntime().removeShutdownHook(end);
    }
  }

  // The server

  private void begin() throws IOException, InterruptedException {
    var manners = new HashMap<String, Object>(settings.scenario().manners());
    manners.put("reset", true);
    manners.put("rate_limit_per_s", settings.rateLimit());
    api.change(PARTNER, manners);
    var busy = Map.of("enabled", true, "shadow_mode", !settings.scenario().refuses());
    api.change(FLAGS, Map.of("server_busy", busy));
  }

  private void restore() throws IOException, InterruptedException {
    if (restored.getAndSet(true)) return;
    api.change(PARTNER, Map.of("reset", true));
    api.change(FLAGS, flagsBefore);
  }

  private void restoreQuietly() {
    try {
      restore();
    } catch (IOException | BenchException e) {
      System.err.println("The partner's manners were not put back: " + e.getMessage());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private record Traffic(long calls, int highest, long refused) {}

  private Traffic traffic() throws IOException, InterruptedException {
    var json = JsonMapper.shared().readTree(api.read(PARTNER + "/traffic"));
    return new Traffic(
        json.get("calls").asLong(),
        json.get("highest_per_second").asInt(),
        json.get("violations").asLong());
  }

  private Scrape scrape() throws IOException, InterruptedException {
    return Scrape.parse(api.read("/actuator/prometheus"));
  }

  /// What changes on the way: the partner's manners, and what is looked at.
  private void later(ScheduledExecutorService timer, AlertWatch watch) {
    for (var turn : settings.scenario().turns()) {
      long at = Math.round(settings.minutes().toMillis() * turn.share());
      timer.schedule(guarded(() -> api.change(PARTNER, turn.manners())), at, TimeUnit.MILLISECONDS);
    }
    timer.scheduleAtFixedRate(
        guarded(() -> look(watch)), SCRAPE.toMillis(), SCRAPE.toMillis(), TimeUnit.MILLISECONDS);
  }

  @FunctionalInterface
  private interface Errand {
    void run() throws IOException, InterruptedException;
  }

  private Runnable guarded(Errand errand) {
    return () -> {
      try {
        errand.run();
      } catch (IOException | BenchException e) {
        violated("the server could not be asked: " + e.getMessage());
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    };
  }

  private void look(AlertWatch watch) throws IOException, InterruptedException {
    var scrape = scrape();
    double at = elapsedMs() / 1_000.0;
    long slice = elapsedMs() - SCRAPE.toMillis();
    scrape.addTo(samples, at);
    watch.look(at);
    scrape.each(
        "dispatcher_waiting_orders_total",
        (labels, value) -> {
          var area = labels.getOrDefault("area_id", "");
          if (!Crowd.SERVICE.equals(labels.get("service_type"))) return;
          highest.merge(area, value.intValue(), Math::max);
          if (value == 0 && !waiting.containsKey(area)) return;
          waiting
              .computeIfAbsent(area, _ -> new Curve(SCRAPE.toMillis()))
              .set(Math.max(0, slice), value);
        });
    long all = traffic().calls();
    calls.set(Math.max(0, slice), (double) (all - callsBefore) / SCRAPE.toSeconds());
    callsBefore = all;
  }

  private long elapsedMs() {
    return (System.nanoTime() - startedAt) / 1_000_000;
  }

  // Customers

  /// Sends them in at their pace, and waits until each has a job id or was given up.
  private int customers() throws InterruptedException {
    var crowd = new Crowd(chance);
    var arrivals = settings.scenario().arrivals(settings.minutes());
    int count = (int) Math.max(1, Math.round(arrivals.toMillis() / 1_000.0 * settings.rate()));
    var done = new CountDownLatch(count);
    progress.phase(phase);
    long begun = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long due = begun + Math.round(i / settings.rate() * 1e9);
      sleep(due - System.nanoTime());
      var person = crowd.next();
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  guarded(() -> serve(person)).run();
                } finally {
                  done.countDown();
                }
              });
      progress.done((double) i / count * 0.9);
    }
    progress.phase("waiting for the last job ids");
    if (!done.await(ScenarioSettings.LIFE.plusMinutes(2).toMillis(), TimeUnit.MILLISECONDS)) {
      violated(done.getCount() + " orders have neither a job id nor an end");
    }
    return count;
  }

  private static void sleep(long nanos) throws InterruptedException {
    if (nanos > 0) TimeUnit.NANOSECONDS.sleep(nanos);
  }

  private void serve(Person person) throws IOException, InterruptedException {
    var key = "scenario-" + Long.toHexString(startedAt) + "-" + person.number();
    while (true) {
      long asked = System.nanoTime();
      var answer = api.place(key, body(person));
      switch (answer.status()) {
        case 200, 201, 202 -> {
          accepted.incrementAndGet();
          follow(answer.json().get("order_id").stringValue(), asked);
          return;
        }
        case 429, 503 -> {
          refused.incrementAndGet();
          synchronized (refusalMicros) {
            refusalMicros.add((System.nanoTime() - asked) / 1_000);
          }
          long again = elapsedMs() + answer.retryAfter().toMillis();
          if (again >= settings.minutes().toMillis()) return;
          sleep(answer.retryAfter().toNanos());
        }
        default -> {
          violated("an order was answered with " + answer.status() + ": " + answer.body());
          return;
        }
      }
    }
  }

  private void follow(String orderId, long asked) throws IOException, InterruptedException {
    var pause = LOOK_FIRST;
    while (elapsedMs() < settings.minutes().plus(ScenarioSettings.LIFE).toMillis()) {
      sleep(pause.toNanos());
      var order = api.look(orderId).json();
      long took = (System.nanoTime() - asked) / 1_000_000;
      var job = order.get("job_id");
      if (job != null && !job.isNull() && !job.asString().isEmpty()) {
        learned(asked, took);
        return;
      }
      if (order.get("status").stringValue().startsWith("CANCELLED")) {
        violated("the ride " + orderId + " got no job id: " + order.get("reason"));
        return;
      }
      if (took > 5_000) pause = pause.multipliedBy(2);
      if (pause.compareTo(LOOK_LAST) > 0) pause = LOOK_LAST;
    }
  }

  private synchronized void learned(long asked, long took) {
    toJobId.add(took);
    int minute = (int) ((asked - startedAt) / 60_000_000_000L);
    while (byMinute.size() <= minute) byMinute.add(new Spread());
    byMinute.get(minute).add(took);
  }

  private synchronized void violated(String sentence) {
    violations.add(sentence);
  }

  private static String body(Person person) {
    return JsonMapper.shared()
        .writeValueAsString(
            Map.of(
                "kind",
                "ride",
                "customer_id",
                "USR-" + person.number(),
                "service_type",
                Crowd.SERVICE,
                "channel",
                "MYBB",
                "loyalty_level",
                person.loyalty().name(),
                "pickup_location",
                person.from(),
                "dropoff_location",
                Map.of("latitude", -6.1256, "longitude", 106.6559),
                "payment",
                Map.of(
                    "status",
                    person.paid() ? "PAID" : "UNPAID",
                    "amount",
                    150_000,
                    "currency",
                    "IDR")));
  }

  // What came of it

  private synchronized ScenarioResult result(
      int customers, Scrape before, Scrape after, Traffic trafficBefore, @Nullable AlertWatch watch)
      throws IOException, InterruptedException {
    var traffic = traffic();
    long tooMany = traffic.refused() - trafficBefore.refused();
    if (tooMany > 0) violated("the partner refused " + tooMany + " calls beyond its limit");
    var ends = new TreeMap<String, Long>();
    after.each(
        "order_status_count",
        (labels, value) -> {
          var was = before.values().getOrDefault("order_status_count", Map.of());
          long more = Math.round(value - was.getOrDefault(labels, 0.0));
          if (more > 0) ends.put(labels.getOrDefault("status", ""), more);
        });
    double updates = grown(before, after, "order_status_update_total");
    double byCallback = grown(before, after, "job_id_via_callback_total");
    return new ScenarioResult(
        settings,
        true,
        customers,
        new ScenarioResult.Orders(
            accepted.get(),
            toJobId.size(),
            toJobId.within(ScenarioSettings.LIFE.toMillis()),
            toJobId,
            byCallback / grown(before, after, "job_id_total"),
            Math.toIntExact(ends.getOrDefault("CANCELLED_BY_SYSTEM_AFTER_PAYMENT", 0L)),
            1 - failed(before, after) / Math.max(1, updates),
            ends),
        new ScenarioResult.Calls(
            traffic.calls() - trafficBefore.calls(),
            Math.round(grown(before, after, "job_id_retrieval_attempts_total")),
            Double.NaN,
            traffic.highest(),
            tooMany),
        new ScenarioResult.Flood(
            refused.get(), refusalMicros.seconds(0.99), highest, settings.threshold()),
        new ScenarioResult.Usage(null, null),
        watch == null ? Map.of() : watch.fired(),
        new ScenarioResult.Curves(calls, waiting, byMinute),
        new ScenarioResult.Seconds(elapsedMs() / 1_000.0, elapsedMs() / 1_000.0),
        violations.sentences(),
        violations.count());
  }

  private static double failed(Scrape before, Scrape after) {
    var key = Map.of("result", "failed");
    var name = "order_status_update_total";
    return after.values().getOrDefault(name, Map.of()).getOrDefault(key, 0.0)
        - before.values().getOrDefault(name, Map.of()).getOrDefault(key, 0.0);
  }

  private static double grown(Scrape before, Scrape after, String name) {
    double was = before.sum(name);
    return after.sum(name) - (Double.isNaN(was) ? 0 : was);
  }
}
