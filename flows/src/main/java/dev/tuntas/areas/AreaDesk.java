package dev.tuntas.areas;

import dev.tuntas.areas.Admission.Customer;
import dev.tuntas.areas.AdmissionDecision.Admitted;
import dev.tuntas.areas.AdmissionDecision.Available;
import dev.tuntas.areas.AdmissionDecision.Busy;
import dev.tuntas.areas.AdmissionDecision.NotFound;
import dev.tuntas.areas.AdmissionDecision.Unasked;
import dev.tuntas.areas.AreaBook.Snapshot;
import dev.tuntas.areas.Slots.Count;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Answers whether an order may come in, and how areas stand. What it answers is a snapshot; only a
/// slot that was taken is a promise.
public final class AreaDesk {

  /// An order that somebody thinks of.
  public record Question(Place pickup, String service, Customer customer) {}

  /// An area nearby that has room.
  public record Alternative(Area area, long metres, Duration estimatedWait) {}

  /// A service in an area, with since when its oldest order waits.
  public record Standing(AreaLoad load, @Nullable Instant oldestWaitingSince) {}

  private record Rates(Map<AreaService, Double> assignedPerSecond, Instant at) {}

  private static final Duration RATE_OVER = Duration.ofMinutes(10);
  private static final Duration RATE_AGE_MAX = Duration.ofSeconds(5);
  private static final long ALTERNATIVE_METRES_MAX = 10_000;
  private static final int ALTERNATIVES_MAX = 3;

  /// From this share of the threshold on, what a mirror shows is not believed.
  private static final double PLENTY = 0.8;

  private final AreaBook book;
  private final Tables tables;
  private final WaitingMirror mirror;
  private final InstantSource clock;
  private volatile Rates rates = new Rates(Map.of(), Instant.EPOCH);

  public AreaDesk(AreaBook book, Tables tables, InstantSource clock) {
    this(book, tables, WaitingMirror.NONE, clock);
  }

  public AreaDesk(AreaBook book, Tables tables, WaitingMirror mirror, InstantSource clock) {
    this.book = book;
    this.tables = tables;
    this.mirror = mirror;
    this.clock = clock;
  }

  /// Whether this order could come in now, by the counts themselves.
  public AdmissionDecision ask(Question question) {
    var snapshot = book.current();
    var area = snapshot.places().at(question.pickup, question.service);
    return area.isEmpty() ? new NotFound() : ask(snapshot, area.get(), question);
  }

  private AdmissionDecision ask(Snapshot snapshot, Area area, Question question) {
    return tables.read(
        "look at area " + area.id(),
        session -> {
          var now = clock.instant();
          var load = load(session, snapshot, area, question.service, now);
          return Admission.decide(snapshot.flags().serverBusy(), load, question.customer, now);
        });
  }

  /// The same for somebody who only looks: where the mirror shows plenty of room, that is the
  /// answer; whatever else it shows, the counts are asked.
  public AdmissionDecision check(Question question) {
    var snapshot = book.current();
    var area = snapshot.places().at(question.pickup, question.service);
    if (area.isEmpty()) return new NotFound();
    return glance(snapshot, area.get(), question)
        .orElseGet(() -> ask(snapshot, area.get(), question));
  }

  private Optional<AdmissionDecision> glance(Snapshot snapshot, Area area, Question question) {
    var key = new AreaService(area.id(), question.service);
    var seen = mirror.look(key);
    if (seen.isEmpty()) return Optional.empty();
    var now = clock.instant();
    var count = new Count(seen.get().waiting(), seen.get().reachedAt(), null);
    var load = load(snapshot, area, question.service, count, rates(now).getOrDefault(key, 0.0));
    var decision = Admission.decide(snapshot.flags().serverBusy(), load, question.customer, now);
    return hasPlenty(decision, now) ? Optional.of(decision) : Optional.empty();
  }

  private static boolean hasPlenty(AdmissionDecision decision, Instant now) {
    return switch (decision) {
      case Unasked _ -> true;
      case Available(var load, _) -> load.waiting() < PLENTY * load.thresholdAt(now);
      case AdmissionDecision.Bypassed _,
          AdmissionDecision.Shadowed _,
          AdmissionDecision.Refused _ ->
          false;
    };
  }

  /// How long an order waits there lately; empty outside of all areas.
  public Optional<Duration> estimatedWait(@Nullable String areaId, String service) {
    var snapshot = book.current();
    var area = areaId == null ? null : snapshot.areas().get(areaId);
    if (area == null) return Optional.empty();
    return tables.read(
        "look at area " + areaId,
        session ->
            Optional.of(load(session, snapshot, area, service, clock.instant()).estimatedWait()));
  }

  /// The slot for an order that was let in, to be taken with [Slots#takeAll].
  public Wanted wanted(String orderId, Admitted admitted) {
    return Wanted.of(orderId, admitted, clock.instant());
  }

  /// What is told to an order that was let in but then found no slot.
  public Busy turnedAway(Admitted admitted, Loyalty loyalty) {
    var before = admitted.load();
    var snapshot = book.current();
    return tables.read(
        "look at area " + before.area().id(),
        session -> {
          var now = clock.instant();
          var load = load(session, snapshot, before.area(), before.service(), now);
          return Admission.busy(load, loyalty, now);
        });
  }

  /// Areas nearby where this order could come in now, nearest first.
  public List<Alternative> alternatives(Question question, Area instead) {
    var snapshot = book.current();
    var near = snapshot.places().around(question.pickup, question.service, ALTERNATIVE_METRES_MAX);
    return tables.read(
        "look for alternatives",
        session -> {
          var now = clock.instant();
          var found = new ArrayList<Alternative>();
          for (var one : near) {
            if (one.area().id().equals(instead.id())) continue;
            var load = load(session, snapshot, one.area(), question.service, now);
            if (isOpen(load, question.customer, now)) {
              found.add(new Alternative(one.area(), one.metres(), load.estimatedWait()));
            }
            if (found.size() == ALTERNATIVES_MAX) break;
          }
          return found;
        });
  }

  /// Whether there is room, whatever the flags say.
  private static boolean isOpen(AreaLoad load, Customer customer, Instant now) {
    var on = Flags.defaults().serverBusy();
    return Admission.decide(on, load, customer, now) instanceof Available;
  }

  /// Whether an ordinary customer would find room, whatever the flags say.
  public static boolean isOpen(AreaLoad load, Instant now) {
    return isOpen(load, new Customer(Loyalty.EXPLORER, ""), now);
  }

  /// How every service of every area stands.
  public List<Standing> standings() {
    var snapshot = book.current();
    return tables.read(
        "look at all areas",
        session -> {
          var rates = rates(session, clock.instant());
          var counts = Slots.counts(session);
          var standings = new ArrayList<Standing>();
          for (var area : snapshot.areas().values()) {
            for (var service : area.services()) {
              var key = new AreaService(area.id(), service);
              var count = counts.getOrDefault(key, Count.NONE);
              var load = load(snapshot, area, service, count, rates.getOrDefault(key, 0.0));
              standings.add(new Standing(load, count.oldest()));
            }
          }
          return standings;
        });
  }

  private AreaLoad load(Session session, Snapshot snapshot, Area area, String service, Instant now)
      throws SQLException {
    var count = Slots.count(session, area.id(), service);
    var rate = rates(session, now).getOrDefault(new AreaService(area.id(), service), 0.0);
    return load(snapshot, area, service, count, rate);
  }

  private static AreaLoad load(
      Snapshot snapshot, Area area, String service, Count count, double rate) {
    return new AreaLoad(
        area,
        service,
        snapshot.rules(area.id(), service),
        snapshot.override(area.id(), service),
        count.waiting(),
        count.reachedAt(),
        rate);
  }

  private Map<AreaService, Double> rates(Instant now) {
    var known = rates;
    return isFresh(known, now)
        ? known.assignedPerSecond
        : tables.read("look at recent assignments", session -> rates(session, now));
  }

  private static boolean isFresh(Rates rates, Instant now) {
    return !rates.at.plus(RATE_AGE_MAX).isBefore(now);
  }

  private Map<AreaService, Double> rates(Session session, Instant now) throws SQLException {
    var known = rates;
    if (isFresh(known, now)) return known.assignedPerSecond;
    var read = new Rates(Slots.assignedPerSecond(session, now, RATE_OVER), now);
    rates = read;
    return read.assignedPerSecond;
  }
}
