package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Something happens on the way to a server that ours depends on.
///
/// @param isHidden whether customers should see nothing of it
/// @param goesOn whether orders are accepted meanwhile
record WireFault(
    String name, String what, Part to, Blow blow, Duration lasts, boolean isHidden, boolean goesOn)
    implements Fault {

  /// What is done to the wire.
  private interface Blow {
    void strike(Wire wire);
  }

  private static final Duration FOR_A_WHILE = Duration.ofSeconds(12);
  private static final Duration ONE_WAY = Duration.ofMillis(150);

  /// Of ten customers and two probes that come each second.
  private static final double ACCEPTED_PER_SECOND_MIN = 6;

  private static final double REFUSED_SHARE_MAX = 0.4;

  static List<Fault> all() {
    return List.of(
        new WireFault(
            "database-latency",
            "every answer of the database takes 300 ms longer",
            Part.DATABASE_WIRE,
            wire -> wire.slow(ONE_WAY),
            FOR_A_WHILE,
            false,
            true),
        seen("database-cut", "the database refuses connections", Part.DATABASE_WIRE, Wire::cut),
        seen("database-black-hole", "the database is silent", Part.DATABASE_WIRE, Wire::stall),
        hidden("redis-cut", "Redis refuses connections", Part.REDIS, Wire::cut),
        hidden("redis-black-hole", "Redis is silent", Part.REDIS, Wire::stall),
        hidden("kafka-cut", "Kafka refuses connections", Part.KAFKA, Wire::cut),
        hidden("kafka-black-hole", "Kafka is silent", Part.KAFKA, Wire::stall),
        hidden("rabbitmq-cut", "RabbitMQ refuses connections", Part.RABBITMQ, Wire::cut),
        hidden("rabbitmq-black-hole", "RabbitMQ is silent", Part.RABBITMQ, Wire::stall));
  }

  private static Fault seen(String name, String what, Part to, Blow blow) {
    return new WireFault(name, what, to, blow, FOR_A_WHILE, false, false);
  }

  private static Fault hidden(String name, String what, Part to, Blow blow) {
    return new WireFault(name, what, to, blow, FOR_A_WHILE, true, true);
  }

  @Override
  public Set<StoreKind> stores() {
    return Set.of(StoreKind.POSTGRES);
  }

  @Override
  public Set<Part> parts() {
    return Set.of(to);
  }

  @Override
  public @Nullable String missing(StoreKind store) {
    return to == Part.RABBITMQ ? QueuesDeleted.missing() : null;
  }

  @Override
  public boolean isSeen() {
    return !goesOn;
  }

  @Override
  public void inject(Rig rig) {
    blow.strike(rig.wire(to));
  }

  @Override
  public void heal(Rig rig) {
    rig.wire(to).repair();
  }

  @Override
  public List<String> check(Rig rig, Sightings during) {
    if (!goesOn) return List.of();
    var wrong = new ArrayList<String>();
    double accepted = during.written() / (double) lasts.toSeconds();
    if (accepted < ACCEPTED_PER_SECOND_MIN) {
      wrong.add(String.format(Locale.ROOT, "Only %.1f orders a second were accepted.", accepted));
    }
    if (during.refusedShare() > REFUSED_SHARE_MAX) {
      wrong.add("More than two fifths of the requests were refused.");
    }
    return wrong;
  }
}
