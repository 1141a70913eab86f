package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import dev.tuntas.bench.cluster.RabbitProcess;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Somebody deletes all queues of RabbitMQ, with what is in them, whenever they are there again.
final class QueuesDeleted implements Fault {

  private static final Duration EVERY = Duration.ofMillis(500);

  private @Nullable Again deleting;

  @Override
  public String name() {
    return "queues-deleted";
  }

  @Override
  public String what() {
    return "somebody deletes all queues of RabbitMQ again and again";
  }

  @Override
  public Set<StoreKind> stores() {
    return Set.of(StoreKind.POSTGRES);
  }

  @Override
  public Set<Part> parts() {
    return Set.of(Part.RABBITMQ);
  }

  @Override
  public @Nullable String missing(StoreKind store) {
    return missing();
  }

  /// Why there is no RabbitMQ here; null if there is.
  static @Nullable String missing() {
    return RabbitProcess.installed().isPresent()
        ? null
        : "It needs RabbitMQ (on Debian: apt-get install rabbitmq-server).";
  }

  @Override
  public boolean isHidden() {
    return true;
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(20);
  }

  @Override
  public void inject(Rig rig) {
    deleting = Again.start(EVERY, rig.rabbit()::deleteAll);
  }

  @Override
  public void heal(Rig rig) throws InterruptedException {
    if (deleting != null) deleting.stop();
  }
}
