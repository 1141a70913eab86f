package dev.tuntas.bench.scenario;

import dev.tuntas.areas.Admission.Customer;
import dev.tuntas.areas.AreaDesk.Question;
import dev.tuntas.areas.Loyalty;
import dev.tuntas.areas.Place;
import dev.tuntas.money.Money;
import dev.tuntas.orders.Order;
import dev.tuntas.rides.Dispatch;
import dev.tuntas.rides.Trip;
import dev.tuntas.saga.SagaDefinition;
import java.time.Instant;
import java.util.random.RandomGenerator;

/// Draws customers: where they are, how loyal, and whether they have paid.
final class Crowd {

  static final String SERVICE = "RIDE";
  private static final String CHANNEL = "MYBB";
  private static final Money PRICE = new Money(150_000, "IDR");
  private static final double PAID = 0.6;
  private static final double LOYAL = 0.2;

  /// Well inside Jakarta's five areas.
  private static final double[][] SPOTS = {
    {-6.19, 106.84}, {-6.29, 106.80}, {-6.16, 106.75}, {-6.25, 106.92}, {-6.12, 106.89}
  };

  private static final double NEAR = 0.02;

  /// Somebody who wants to go somewhere.
  record Person(int number, Place from, Loyalty loyalty, boolean paid) {

    Question question() {
      return new Question(from, SERVICE, new Customer(loyalty, CHANNEL));
    }

    Order order(SagaDefinition<Order> story, String area, Instant at, Instant endsAt) {
      var wish =
          new Trip.Wish(
              SERVICE,
              CHANNEL,
              loyalty.name(),
              area,
              new Dispatch.Place(from.latitude(), from.longitude()),
              new Dispatch.Place(-6.1256, 106.6559),
              paid ? "PAID" : "UNPAID",
              null,
              at,
              endsAt,
              null);
      var origin = new Order.Origin("scenario", "USR-" + number, story.toString(), "token");
      return Order.ride(origin, Trip.of(wish), PRICE);
    }
  }

  private final RandomGenerator chance;
  private int drawn;

  Crowd(RandomGenerator chance) {
    this.chance = chance;
  }

  int drawn() {
    return drawn;
  }

  Person next() {
    var spot = SPOTS[chance.nextInt(SPOTS.length)];
    var from = new Place(spot[0] + chance.nextDouble(NEAR), spot[1] + chance.nextDouble(NEAR));
    boolean loyal = chance.nextDouble() < LOYAL;
    var loyalty =
        loyal
            ? (chance.nextBoolean() ? Loyalty.VOYAGER : Loyalty.ELITE)
            : (chance.nextBoolean() ? Loyalty.EXPLORER : Loyalty.TRAVELER);
    return new Person(drawn++, from, loyalty, chance.nextDouble() < PAID);
  }
}
