package dev.tuntas.bench.scenario;

import dev.tuntas.areas.AdmissionDecision.Admitted;
import dev.tuntas.areas.AdmissionDecision.Busy;
import dev.tuntas.areas.AdmissionDecision.Refused;
import dev.tuntas.bench.scenario.Crowd.Person;
import dev.tuntas.orders.RideSaga;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// Where rides come in: customers arrive, wait where there is room, and come again later where
/// there is none.
final class Door {

  /// Who was told to come again does so within so long after the time that was named.
  private static final int LATE_MS_MAX = 30_000;

  private final ScenarioSettings settings;
  private final Agenda agenda;
  private final RandomGenerator chance;
  private final Crowd crowd;
  private final City city;
  private final RideTally tally;
  private final RideSaga rides;
  private final RideEngine engine;
  private final Meters meters;
  private final Spread refusalMicros = new Spread();
  private int outside;
  private long refusals;
  private boolean arriving = true;
  private Duration recoveredAt = Duration.ZERO;

  Door(
      ScenarioSettings settings,
      Agenda agenda,
      RandomGenerator chance,
      City city,
      RideTally tally,
      RideSaga rides,
      RideEngine engine,
      Meters meters) {
    this.settings = settings;
    this.agenda = agenda;
    this.chance = chance;
    this.crowd = new Crowd(chance);
    this.city = city;
    this.tally = tally;
    this.rides = rides;
    this.engine = engine;
    this.meters = meters;
  }

  /// Lets customers come, for as long as the scenario says.
  void open() {
    nextArrival(settings.scenario().arrivals(settings.minutes()));
  }

  private void nextArrival(Duration until) {
    double seconds = -Math.log(1 - chance.nextDouble()) / settings.rate();
    var pause = Duration.ofMillis(Math.round(seconds * 1_000));
    if (agenda.elapsed().plus(pause).compareTo(until) >= 0) {
      arriving = false;
      return;
    }
    agenda.after(
        pause,
        () -> {
          enter(crowd.next());
          nextArrival(until);
        });
  }

  private void enter(Person person) {
    long begun = System.nanoTime();
    var decision = city.ask(person);
    meters.admission().asked(decision);
    switch (decision) {
      case Admitted admitted -> accept(person, admitted);
      case Refused refused -> {
        refusalMicros.add((System.nanoTime() - begun) / 1_000);
        refuse(person, refused);
      }
    }
  }

  private void accept(Person person, Admitted admitted) {
    var id = tally.accept();
    if (!city.take(id, person, admitted)) {
      throw new IllegalStateException("there was a slot for " + id + " a moment ago");
    }
    var now = agenda.instant();
    var area = admitted.load().area().id();
    var story = rides.asking();
    engine.start(story, id, person.order(story, area, now, now.plus(ScenarioSettings.LIFE)));
    if (refusals > 0) recoveredAt = agenda.elapsed();
  }

  private void refuse(Person person, Refused refused) {
    refusals++;
    if (!(refused instanceof Busy busy)) {
      throw new IllegalStateException("no area refuses a ride like this: " + refused);
    }
    meters.admission().refused(busy.load());
    var later = busy.retryAfter().plusMillis(chance.nextInt(LATE_MS_MAX));
    if (agenda.elapsed().plus(later).compareTo(settings.minutes()) >= 0) return;
    outside++;
    agenda.after(
        later,
        () -> {
          outside--;
          enter(person);
        });
  }

  /// Whether nobody will come any more.
  boolean isQuiet() {
    return !arriving && outside == 0;
  }

  int customers() {
    return crowd.drawn();
  }

  long refusals() {
    return refusals;
  }

  double refusalMs(double share) {
    return refusalMicros.seconds(share);
  }

  /// When somebody was let in for the last time after others had been refused.
  Duration recoveredAt() {
    return recoveredAt;
  }
}
