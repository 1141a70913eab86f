package dev.tuntas.bench.scenario;

import dev.tuntas.areas.AdmissionDecision;
import dev.tuntas.areas.AdmissionDecision.Admitted;
import dev.tuntas.areas.AreaBook;
import dev.tuntas.areas.AreaDesk;
import dev.tuntas.areas.AreaRules;
import dev.tuntas.areas.AreaService;
import dev.tuntas.areas.Flags;
import dev.tuntas.areas.Loyalty;
import dev.tuntas.areas.Slots;
import dev.tuntas.areas.WaitingMirror;
import dev.tuntas.audit.AuditEntry;
import dev.tuntas.orders.OrderEvent;
import dev.tuntas.orders.RideSlots;
import dev.tuntas.simulator.OpeningAreas;
import dev.tuntas.store.Tables;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The areas where rides wait, on tables in memory, and a count of our own beside theirs.
final class City implements AutoCloseable {

  private static final Set<Loyalty> LOYAL = Set.of(Loyalty.VOYAGER, Loyalty.ELITE);

  private final Tables tables;
  private final AreaBook book;
  private final AreaDesk desk;
  private final InstantSource clock;
  private final Violations violations;
  private final int threshold;
  private final boolean refuses;
  private final RideSlots slots = new RideSlots(WaitingMirror.NONE);
  private final Map<String, String> areaOf = new HashMap<>();
  private final Map<String, Integer> waiting = new TreeMap<>();
  private final Map<String, Integer> highest = new TreeMap<>();

  City(ScenarioSettings settings, InstantSource clock, Violations violations) {
    this.clock = clock;
    this.violations = violations;
    this.threshold = settings.threshold();
    this.refuses = settings.scenario().refuses();
    tables = Tables.inMemory(AreaBook.TABLES);
    book = new AreaBook(tables, (_, _) -> {});
    desk = new AreaDesk(book, tables, clock);
    OpeningAreas.fill(book);
    for (var area : book.current().areas().keySet()) {
      book.change(area, Crowd.SERVICE, this::roomy, AuditEntry::byProgram);
    }
    book.changeFlags(
        flags ->
            new Flags(
                new Flags.ServerBusy(true, new TreeSet<>(), new TreeSet<>(), !refuses),
                flags.proactiveRetrieval()),
        AuditEntry::byProgram);
  }

  private AreaRules roomy(AreaRules from) {
    return new AreaRules(
        threshold,
        from.dispatchTimeoutSec(),
        from.orderLifetimeSec(),
        from.retryIntervalSec(),
        from.busyRetryIntervalSec(),
        from.cooldownPeriodSec(),
        from.enabled(),
        from.priority(),
        from.bypassEnabled(),
        from.bypassLoyaltyLevels(),
        from.maxBypassPercentage(),
        from.thresholdsByTime(),
        from.timeZone(),
        from.estimatedWaitLimitSec());
  }

  AreaBook book() {
    return book;
  }

  int threshold() {
    return threshold;
  }

  /// With the loyal ones.
  int most() {
    return threshold + threshold / 5;
  }

  AdmissionDecision ask(Crowd.Person person) {
    return desk.ask(person.question());
  }

  /// Takes the slot of an order that may come in. False if there is none after all.
  boolean take(String orderId, Crowd.Person person, Admitted admitted) {
    var area = admitted.load().area().id();
    var wanted = desk.wanted(orderId, admitted);
    boolean taken =
        tables.write("take a slot", session -> Slots.take(session, wanted, clock.instant()));
    if (!taken) return false;
    int before = waiting.getOrDefault(area, 0);
    waiting.put(area, before + 1);
    highest.merge(area, before + 1, Math::max);
    areaOf.put(orderId, area);
    if (refuses) check(area, before, LOYAL.contains(person.loyalty()));
    return true;
  }

  private void check(String area, int before, boolean loyal) {
    if (!loyal && before >= threshold) {
      violations.add(before + " waited in " + area + " when one more without loyalty was let in");
    }
    if (before >= most()) violations.add(before + " waited in " + area + " and one more came");
  }

  /// Hears of orders, and gives back the slots of those that wait no longer.
  void hear(Collection<OrderEvent> events) {
    var leaving = events.stream().filter(event -> !isWaiting(event)).toList();
    if (leaving.isEmpty()) return;
    tables.write(
        "give back slots",
        session -> {
          for (var event : leaving) slots.hear(session, event);
          return true;
        });
    for (var event : leaving) {
      var area = areaOf.remove(event.orderId());
      if (area != null) waiting.merge(area, -1, Integer::sum);
    }
  }

  private static boolean isWaiting(OrderEvent event) {
    return event.type().equals(OrderEvent.ACCEPTED)
        || event.type().equals(OrderEvent.JOB_ID_RETRIEVED);
  }

  /// The areas' own counts; ours must be the same.
  Map<String, Long> counted() {
    var counts = new TreeMap<String, Long>();
    var told = tables.read("count", Slots::counts);
    for (var area : areas()) {
      long count =
          told.getOrDefault(new AreaService(area, Crowd.SERVICE), Slots.Count.NONE).waiting();
      counts.put(area, count);
      int ours = waiting.getOrDefault(area, 0);
      if (count != ours) {
        violations.add("%d wait in %s, and %d are counted".formatted(ours, area, count));
      }
    }
    return counts;
  }

  List<String> areas() {
    return List.copyOf(highest.keySet());
  }

  Map<String, Integer> highest() {
    return highest;
  }

  /// Forgets the slots that were given back before.
  void forget(Duration age) {
    tables.write(
        "forget slots", session -> Slots.forget(session, clock.instant().minus(age), 100_000));
  }

  @Override
  public void close() {
    tables.close();
  }
}
