package dev.tuntas.bench.faults;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The dispatch partner is down, 5,000 rides come in and wait for it, and it comes back.
final class Backlog implements Fault {

  private static final int RIDES = 5_000;

  /// Calls a second that the partner allows.
  private static final int LIMIT = 300;

  private static final Duration BEGINS_WITHIN = Duration.ofSeconds(5);

  /// One or two may be trials.
  private static final int BEGUN = 20;

  private static final Duration DRAINED_WITHIN = Duration.ofMinutes(3);
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);

  /// Of what the partner allows, so much at least is used while rides wait.
  private static final double PACE_MIN = 0.4;

  private @Nullable Instant cameBack;
  private long callsBefore;

  @Override
  public String name() {
    return "backlog";
  }

  @Override
  public String what() {
    return "5,000 rides wait for a partner that is down";
  }

  @Override
  public Duration settlesLater() {
    return DRAINED_WITHIN;
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(5);
  }

  @Override
  public void prepare(Rig rig) {
    rig.argument("--tuntas.partners.bbd.rate-limit=" + LIMIT);
  }

  @Override
  public void inject(Rig rig) throws IOException, InterruptedException {
    var admin = Admin.of(rig);
    admin.put("/api/v1/admin/flags", "{\"server_busy\":{\"enabled\":false}}");
    admin.put("/sim/bbd", "{\"down\":true,\"rate_limit_per_s\":" + LIMIT + "}");
    rig.crowd().orderRides(RIDES);
  }

  @Override
  public void heal(Rig rig) throws IOException, InterruptedException {
    var admin = Admin.of(rig);
    callsBefore = calls(admin);
    admin.put("/sim/bbd", "{\"down\":false}");
    cameBack = Instant.now();
  }

  private static long calls(Admin admin) throws IOException, InterruptedException {
    return admin.get("/sim/bbd/traffic").get("calls").asLong();
  }

  @Override
  public List<String> check(Rig rig, Sightings during) throws IOException, InterruptedException {
    var admin = Admin.of(rig);
    var returned = cameBack;
    if (returned == null) throw new IllegalStateException("the partner never came back");
    var booked = bookings(admin, returned);
    long end = System.nanoTime() + DRAINED_WITHIN.toNanos();
    while (booked.size() < RIDES && System.nanoTime() < end) {
      Thread.sleep(LOOK_AGAIN);
      booked = bookings(admin, returned);
    }
    return complaints(admin, booked, returned);
  }

  /// When rides were booked after the partner's return.
  private static List<Instant> bookings(Admin admin, Instant from)
      throws IOException, InterruptedException {
    var times = new ArrayList<Instant>();
    for (var entry : admin.get("/sim/bbd/ledger").get("entries")) {
      var at = Instant.parse(entry.get("at").stringValue());
      if (entry.get("operation").stringValue().equals("book") && !at.isBefore(from)) times.add(at);
    }
    return times;
  }

  private List<String> complaints(Admin admin, List<Instant> booked, Instant returned)
      throws IOException, InterruptedException {
    if (booked.size() < RIDES) {
      return List.of(
          "Only %d of %d rides were booked %d s after the partner's return."
              .formatted(booked.size(), RIDES, DRAINED_WITHIN.toSeconds()));
    }
    var wrong = new ArrayList<String>();
    var first = Duration.between(returned, booked.get(BEGUN));
    if (first.compareTo(BEGINS_WITHIN) > 0) {
      wrong.add("The backlog began to drain %d s after the return.".formatted(first.toSeconds()));
    }
    var traffic = admin.get("/sim/bbd/traffic");
    if (traffic.get("violations").asLong() > 0) {
      wrong.add(
          "The partner got up to %d calls a second and allows %d."
              .formatted(traffic.get("highest_per_second").asLong(), LIMIT));
    }
    double seconds = Duration.between(returned, booked.getLast()).toMillis() / 1000.0;
    double pace = (calls(admin) - callsBefore) / seconds;
    if (pace < PACE_MIN * LIMIT) {
      wrong.add(
          String.format(
              Locale.ROOT, "The partner allows %d calls a second and got %.0f.", LIMIT, pace));
    }
    return wrong;
  }
}
