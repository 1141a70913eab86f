package dev.tuntas.bench.scenario;

import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.State;
import dev.tuntas.orders.Order;
import dev.tuntas.orders.OrderEvent;
import dev.tuntas.rides.Trip;
import dev.tuntas.saga.SagaDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What became of every ride, as the engine and its notices tell it. Of a ride that has ended only
/// figures are kept.
final class RideTally implements EngineListener {

  /// A ride that has not ended.
  private static final class Ride {
    final long acceptedAt;
    long bookedAt = -1;
    boolean hasJob;

    Ride(long acceptedAt) {
      this.acceptedAt = acceptedAt;
    }
  }

  private static final String ID = "ord_";
  private static final int MINUTE_MS = 60_000;

  private final Agenda agenda;
  private final Violations violations;
  private final Function<String, Instant> assignedAt;
  private final Map<String, Ride> open = new HashMap<>();
  private final BitSet ended = new BitSet();
  private final BitSet manual = new BitSet();
  private final Map<String, Long> ends = new TreeMap<>();
  private final Spread toJobId = new Spread();
  private final List<Spread> toJobIdByMinute = new ArrayList<>();
  private int accepted;
  private int withoutJobId;
  private int waitingForJobId;
  private long viaCallback;
  private long baseline;
  private long updates;
  private long updatesFailed;
  private long reachableFrom;

  /// @param assignedAt when the partner had the job of a booking
  RideTally(Agenda agenda, Violations violations, Function<String, Instant> assignedAt) {
    this.agenda = agenda;
    this.violations = violations;
    this.assignedAt = assignedAt;
  }

  static String id(int number) {
    return ID + String.format("%08d", number);
  }

  private static int number(String id) {
    return Integer.parseInt(id.substring(ID.length()));
  }

  /// The id of the next ride, which is accepted now.
  String accept() {
    var id = id(accepted++);
    open.put(id, new Ride(agenda.millis()));
    waitingForJobId++;
    return id;
  }

  // What the engine tells

  @Override
  public <D> void changed(SagaDefinition<D> saga, String id, State<D> before, State<D> after) {
    if (!(before.data() instanceof Order old) || !(after.data() instanceof Order now)) return;
    var ride = open.get(id);
    if (ride == null) return;
    if (old.ride().bookingId() == null && now.ride().bookingId() != null) {
      ride.bookedAt = agenda.millis();
    }
    var job = now.ride().job();
    if (old.ride().job() == null && job != null) learned(id, ride, now.ride(), job);
  }

  private void learned(String id, Ride ride, Trip trip, Trip.Job job) {
    ride.hasJob = true;
    waitingForJobId--;
    long took = agenda.millis() - ride.acceptedAt;
    toJobId.add(took);
    minute(ride.acceptedAt).add(took);
    if (job.method() == Trip.Method.CALLBACK) viaCallback++;
    var booking = trip.bookingId();
    if (booking == null) return;
    var assigned = assignedAt.apply(booking).toEpochMilli();
    long asked = ride.bookedAt < 0 ? ride.acceptedAt : ride.bookedAt;
    baseline += Baseline.questions(Duration.ofMillis(assigned - asked), id.hashCode());
  }

  private Spread minute(long acceptedAt) {
    int minute = (int) ((acceptedAt - Agenda.START.toEpochMilli()) / MINUTE_MS);
    while (toJobIdByMinute.size() <= minute) toJobIdByMinute.add(new Spread());
    return toJobIdByMinute.get(minute);
  }

  @Override
  public void fenced(String id) {
    updatesFailed++;
    violations.add("the ride " + id + " was fenced although there is one node");
  }

  @Override
  public void published(Outbox.Entry notice, @Nullable Throwable failure, boolean dead) {
    if (dead) updatesFailed++;
  }

  // What the notices tell

  void hear(OrderEvent event) {
    updates++;
    switch (event.type()) {
      case OrderEvent.CONFIRMED, OrderEvent.CANCELLED -> end(event);
      case OrderEvent.MANUAL_ACTION -> manual.set(number(event.orderId()));
      default -> {}
    }
  }

  private void end(OrderEvent event) {
    int number = number(event.orderId());
    if (ended.get(number)) violations.add("the ride " + event.orderId() + " ended twice");
    ended.set(number);
    ends.merge(event.status(), 1L, Long::sum);
    var ride = open.remove(event.orderId());
    if (ride == null || ride.hasJob) return;
    waitingForJobId--;
    withoutJobId++;
    if (ride.acceptedAt + ScenarioSettings.LIFE.toMillis() > reachableFrom) {
      violations.add("the ride " + event.orderId() + " got no job id: " + event.reason());
    }
  }

  /// Rides whose life ended before the partner could answer cannot have a job id.
  void partnerIsBackAfter(Duration sinceStart) {
    reachableFrom = Agenda.START.plus(sinceStart).toEpochMilli();
  }

  // Figures

  int accepted() {
    return accepted;
  }

  int open() {
    return open.size();
  }

  int waitingForJobId() {
    return waitingForJobId;
  }

  int withoutJobId() {
    return withoutJobId;
  }

  Spread toJobId() {
    return toJobId;
  }

  List<Spread> toJobIdByMinute() {
    return toJobIdByMinute;
  }

  int manual() {
    return manual.cardinality();
  }

  Map<String, Long> ends() {
    return ends;
  }

  double callbackShare() {
    return toJobId.size() == 0 ? Double.NaN : (double) viaCallback / toJobId.size();
  }

  /// How often a partner would have been asked that is asked from the start.
  long baseline() {
    return baseline;
  }

  double updatesOk() {
    return updates + updatesFailed == 0 ? 1 : (double) updates / (updates + updatesFailed);
  }
}
