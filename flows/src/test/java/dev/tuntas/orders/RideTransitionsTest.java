package dev.tuntas.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.ProgressCodec;
import dev.tuntas.engine.Ruling;
import dev.tuntas.money.Money;
import dev.tuntas.rides.Dispatch;
import dev.tuntas.rides.DispatchEvent;
import dev.tuntas.rides.Trip;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import dev.tuntas.testkit.simulation.VirtualEngine;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Hundreds of rides to which anything happens at any time: the transitions that are seen are those
/// of the requirements (R6), all of them and no other.
class RideTransitionsTest {

  private static final String ID = "ord_1";
  private static final int RIDES = 250;
  private static final int EVENTS = 12;

  /// A driver who says nothing for forty minutes is lost.
  private static final RideSaga.Settings SETTINGS =
      new RideSaga.Settings(
          Duration.ofSeconds(5),
          Duration.ofMinutes(2),
          RideSaga.Settings.fixed(Duration.ofSeconds(15)),
          RideSaga.Settings.news(Duration.ofMinutes(2)),
          Duration.ofSeconds(10),
          Duration.ofMinutes(40),
          3);

  private static final Set<String> ALLOWED =
      Set.of(
          "PENDING_JOB_ID > ASSIGNED",
          "PENDING_JOB_ID > CANCELLED_BY_SYSTEM",
          "PENDING_JOB_ID > CANCELLED_BY_SYSTEM_AFTER_PAYMENT",
          "PENDING_JOB_ID > CANCELLED_BY_USER",
          "ASSIGNED > DRIVER_ASSIGNED",
          "ASSIGNED > CANCELLED_BY_USER",
          "ASSIGNED > CANCELLED_BY_SYSTEM",
          "ASSIGNED > CANCELLED_BY_SYSTEM_AFTER_PAYMENT",
          "DRIVER_ASSIGNED > PICKED_UP",
          "DRIVER_ASSIGNED > CANCELLED_BY_DRIVER",
          "DRIVER_ASSIGNED > CANCELLED_BY_USER",
          "PICKED_UP > COMPLETED",
          "PICKED_UP > CANCELLED_BY_USER",
          "CANCELLED_BY_SYSTEM_AFTER_PAYMENT > REFUND_PENDING",
          "REFUND_PENDING > REFUNDED");

  private final Set<String> seen = new TreeSet<>();

  /// A partner who does what he likes.
  private record Moody(Random random) implements Dispatch {

    private <T> Outcome<T> answer(T good) {
      return switch (random.nextInt(8)) {
        case 0 -> Outcome.unclear("no answer");
        case 1 -> Outcome.unavailable("down", "The partner is away.");
        case 2 -> Outcome.declined("refused", "The partner does not want to.");
        default -> Outcome.done(good);
      };
    }

    @Override
    public Outcome<Booking> book(Ride ride, String key) {
      return answer(new Booking("b-1"));
    }

    @Override
    public Outcome<Job> job(String bookingId) {
      return random.nextInt(4) > 0 ? Outcome.pending("not yet") : answer(new Job("job-7"));
    }

    @Override
    public Outcome<Booking> dispatch(String bookingId, int attempt, String key) {
      return random.nextInt(4) > 0
          ? Outcome.done(new Booking(bookingId))
          : answer(new Booking(bookingId));
    }

    @Override
    public Outcome<Booking> cancel(String bookingId, String key) {
      return answer(new Booking(bookingId));
    }
  }

  @Test
  void all_transitions_of_the_requirements_are_seen_and_no_other() {
    for (int seed = 0; seed < RIDES; seed++) ride(new Random(seed));
    assertThat(seen).containsExactlyInAnyOrderElementsOf(ALLOWED);
  }

  private void ride(Random random) {
    var sagas = new RideSaga(new Moody(random), new FakeServices(), SETTINGS);
    var story = random.nextBoolean() ? sagas.asking() : sagas.waiting();
    var engine = new VirtualEngine(sagas.asking(), sagas.waiting());
    engine.start(story, ID, order(story, any(random, "PAID", "UNPAID", "ON_HOLD"), engine));
    for (int n = 0; n < EVENTS; n++) happen(random, engine, "e-" + n);
    engine.run(Duration.ofMinutes(45));
    for (int n = 0; n < 3; n++) happen(random, engine, "late-" + n);
    engine.tell(ID, RideSaga.refundBegun("refund-ord_1"));
    for (var signal : RideSaga.refundMade("refund-ord_1")) engine.tell(ID, signal);
    listen(engine, story);
  }

  /// The world hears of every status, also of those that were passed at once.
  private void listen(VirtualEngine engine, SagaDefinition<Order> story) {
    var was = "";
    for (var notice : engine.notices()) {
      if (notice.type().equals(OrderEvent.MANUAL_ACTION)) continue;
      var is = OrderNotices.read(notice).status();
      if (!was.isEmpty() && !was.equals(is)) seen.add(was + " > " + is);
      was = is;
    }
    var line = ProgressCodec.decode(engine.row(ID).progress());
    var order = engine.data(story, ID);
    assertThat(Standing.of(order, line.progress(), line.trail()).status()).isEqualTo(was);
  }

  private static void happen(Random random, VirtualEngine engine, String name) {
    switch (random.nextInt(10)) {
      case 0, 1 -> engine.run(Duration.ofSeconds(random.nextInt(400)));
      case 2 ->
          engine.tell(
              ID,
              new Signal("payment", name, RideSaga.PAYMENT, any(random, "PAID", "PENDING", "ODD")));
      case 3 -> engine.tell(ID, RideSaga.refundBegun("refund-" + name));
      case 4 -> {
        if (random.nextInt(4) == 0) engine.rule(ID, Ruling.cancel("app", "no longer wanted"));
      }
      case 5 -> {
        if (random.nextInt(8) == 0) engine.rule(ID, giveUp(engine.row(ID).version()));
      }
      default -> {
        var type = any(random, DispatchEvent.Type.values());
        var event = new DispatchEvent(name, type, ID, "b-1", "job-7", null, null, 1, engine.now());
        for (var signal : event.signals()) engine.tell(ID, signal);
      }
    }
  }

  private static Ruling giveUp(long version) {
    return new Ruling(Ruling.Kind.GIVE_UP, "ann", "it takes too long", "", version);
  }

  @SafeVarargs
  private static <T> T any(Random random, T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static Order order(SagaDefinition<Order> story, String payment, VirtualEngine engine) {
    var wish =
        new Trip.Wish(
            "RIDE",
            null,
            null,
            null,
            new Dispatch.Place(-6.2, 106.8),
            new Dispatch.Place(-6.1, 106.6),
            payment,
            null,
            engine.now(),
            engine.now().plus(Duration.ofMinutes(30)),
            null);
    var origin = new Order.Origin("app", "USR-1", story.toString(), "token");
    return Order.ride(origin, Trip.of(wish), new Money(150_000, "IDR"));
  }
}
