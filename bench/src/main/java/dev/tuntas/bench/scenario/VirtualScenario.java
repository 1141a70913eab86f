package dev.tuntas.bench.scenario;

import dev.tuntas.bench.Progress;
import dev.tuntas.bench.alerts.AlertRule;
import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.Publisher;
import dev.tuntas.orders.OrderEvent;
import dev.tuntas.orders.RideJournal;
import dev.tuntas.orders.RideSaga;
import dev.tuntas.orders.StatusJournal;
import dev.tuntas.rides.DispatchEvent;
import dev.tuntas.simulator.Change;
import dev.tuntas.simulator.SimulatedDispatch;
import dev.tuntas.store.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// A scenario in virtual time: the real engine, saga, lanes, admission and simulated partner, on
/// one thread and in an order that depends on nothing but the seed.
final class VirtualScenario implements AutoCloseable {

  private static final Duration SLOTS_KEPT = Duration.ofMinutes(11);
  private static final double EARLY = 0.25;

  /// When nobody came any more for so long, everything should have ended.
  private static final Duration PATIENCE = ScenarioSettings.LIFE.plusMinutes(15);

  /// Until what has ended was forgotten, too.
  private static final Duration SETTLE = Duration.ofMinutes(4);

  /// A leak of a few hundred bytes for each ride is more than this.
  private static final double GROWTH_MB_MAX = 48;

  private final ScenarioSettings settings;
  private final Progress progress;
  private final Violations violations = new Violations();
  private final Agenda agenda = new Agenda();
  private final Tables ledger = Tables.inMemory(SimulatedDispatch.TABLES);
  private final SimulatedDispatch bbd;
  private final Partner partner;
  private final City city;
  private final RideTally tally;
  private final Meters meters;
  private final RideEngine engine;
  private final Door door;
  private final Watcher watcher;
  private final long startedAt = System.nanoTime();
  private @Nullable Machine early;

  VirtualScenario(ScenarioSettings settings, List<AlertRule> rules, Progress progress) {
    this.settings = settings;
    this.progress = progress;
    var seeds = new SplittableRandom(settings.seed());
    bbd = new SimulatedDispatch(ledger, seeds.split(), _ -> {}, agenda, agenda, this::called);
    partner = new Partner(bbd, agenda);
    city = new City(settings, agenda, violations);
    tally = new RideTally(agenda, violations, this::assignedAt);
    tally.partnerIsBackAfter(settings.scenario().backAfter(settings.minutes()));
    meters = new Meters(city.book().current().areas().keySet(), Crowd.SERVICE);
    var rides = new RideSaga(partner, new OutsidePayments(), RideSaga.Settings.standard());
    var listeners =
        new EngineListener[] {
          tally, meters, new RideJournal(meters, agenda), StatusJournal.of(rides, meters)
        };
    engine =
        new RideEngine(agenda, seeds.split(), rides, settings.rateLimit(), new Board(), listeners);
    door = new Door(settings, agenda, seeds.split(), city, tally, rides, engine, meters);
    watcher = new Watcher(agenda, city, tally, meters, rules);
  }

  private void called(DispatchEvent event) {
    for (var signal : event.signals()) engine.tell(event.orderId(), signal);
  }

  /// The partner tells it to nobody else. Until a driver is looked for, a booking stands as it did
  /// when it got its job.
  private Instant assignedAt(String bookingId) {
    return ledger.read(
        "look when a job was assigned",
        session ->
            session
                .first(
                    "select since from booking where booking_id = ?",
                    row -> Instant.ofEpochMilli(row.getLong(1)),
                    bookingId)
                .orElseGet(agenda::instant));
  }

  /// Hears the notices of orders, as the server's board does.
  private final class Board implements Publisher {
    @Override
    public void publish(Outbox.Entry notice) {
      publishAll(List.of(notice));
    }

    @Override
    public boolean publishAll(List<Outbox.Entry> notices) {
      var events = notices.stream().map(OrderEvent::read).toList();
      city.hear(events);
      events.forEach(tally::hear);
      return true;
    }
  }

  // Running

  ScenarioResult run() {
    behave(Map.of("rate_limit_per_s", settings.rateLimit()));
    behave(settings.scenario().manners());
    for (var turn : settings.scenario().turns()) {
      agenda.at(share(turn.share()), () -> behave(turn.manners()));
    }
    agenda.every(Duration.ofMinutes(1), () -> city.forget(SLOTS_KEPT));
    agenda.at(share(EARLY), () -> early = Machine.now());
    progress.phase("orders come in");
    door.open();
    var end = settings.minutes().plus(PATIENCE);
    while (!isOver() && agenda.elapsed().compareTo(end) < 0) agenda.step();
    progress.phase("checking");
    var over = agenda.elapsed();
    while (agenda.elapsed().compareTo(over.plus(SETTLE)) < 0) agenda.step();
    check();
    return result(over);
  }

  private Duration share(double share) {
    return Duration.ofMillis(Math.round(settings.minutes().toMillis() * share));
  }

  private void behave(Map<String, ?> manners) {
    if (bbd.change(manners) instanceof Change.Refused<?>(_, _, var sentence)) {
      throw new IllegalStateException(sentence);
    }
  }

  private boolean isOver() {
    var elapsed = agenda.elapsed();
    progress.done((double) elapsed.toMillis() / settings.minutes().plusMinutes(1).toMillis());
    return door.isQuiet() && tally.open() == 0 && elapsed.compareTo(settings.minutes()) >= 0;
  }

  // Checking

  private void check() {
    if (tally.open() > 0) violations.add(tally.open() + " rides have not ended");
    city.counted()
        .forEach(
            (area, count) -> {
              if (count > 0) violations.add(count + " slots of " + area + " were not given back");
            });
    int late = tally.toJobId().size() - tally.toJobId().within(ScenarioSettings.LIFE.toMillis());
    if (late > 0) violations.add(late + " job ids came after more than 30 minutes");
    var traffic = bbd.traffic();
    if (traffic.violations() > 0 || traffic.highestPerSecond() > settings.rateLimit()) {
      violations.add(
          "the partner was called %d times in a second, and takes %d"
              .formatted(traffic.highestPerSecond(), settings.rateLimit()));
    }
    Expectations.of(settings).check(watcher.fired().keySet(), violations);
  }

  private ScenarioResult result(Duration over) {
    var late = Machine.now();
    if (early != null) checkGrowth(early, late);
    var traffic = bbd.traffic();
    var toJobId = tally.toJobId();
    return new ScenarioResult(
        settings,
        false,
        door.customers(),
        new ScenarioResult.Orders(
            tally.accepted(),
            toJobId.size(),
            toJobId.within(ScenarioSettings.LIFE.toMillis()),
            toJobId,
            tally.callbackShare(),
            tally.manual(),
            tally.updatesOk(),
            tally.ends()),
        new ScenarioResult.Calls(
            traffic.calls(),
            partner.calls(Partner.Kind.JOB),
            tally.baseline(),
            traffic.highestPerSecond(),
            traffic.violations()),
        new ScenarioResult.Flood(
            door.refusals(), door.refusalMs(0.99), new HashMap<>(city.highest()), city.most()),
        new ScenarioResult.Usage(early, late),
        watcher.fired(),
        new ScenarioResult.Curves(partner.perSecond(), watcher.waiting(), tally.toJobIdByMinute()),
        new ScenarioResult.Seconds(
            over.toMillis() / 1_000.0, (System.nanoTime() - startedAt) / 1e9),
        violations.sentences(),
        violations.count());
  }

  private void checkGrowth(Machine before, Machine after) {
    if (after.heapMb() > before.heapMb() + GROWTH_MB_MAX) {
      violations.add(
          "the heap grew from %.0f to %.0f MB".formatted(before.heapMb(), after.heapMb()));
    }
    if (after.threads() > before.threads() + 2) {
      violations.add(
          "there were %d threads, and then %d".formatted(before.threads(), after.threads()));
    }
  }

  @Override
  public void close() {
    city.close();
    ledger.close();
  }
}
