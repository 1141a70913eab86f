package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// RabbitMQ takes no messages, because it has too little memory: it stops reading from those who
/// publish, and confirms nothing.
final class RabbitAlarm implements Fault {

  @Override
  public String name() {
    return "rabbitmq-alarm";
  }

  @Override
  public String what() {
    return "RabbitMQ has too little memory and takes no messages";
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
    return QueuesDeleted.missing();
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(20);
  }

  @Override
  public boolean isHidden() {
    return true;
  }

  @Override
  public void inject(Rig rig) throws InterruptedException {
    rig.rabbit().memoryShare("0");
  }

  @Override
  public void heal(Rig rig) throws InterruptedException {
    rig.rabbit().memoryShare("0.4");
  }
}
