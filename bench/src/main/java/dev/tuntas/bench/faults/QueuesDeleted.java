package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Somebody deletes all queues of RabbitMQ.
final class QueuesDeleted implements Fault {

  private static final String PROGRAM = "rabbitmq-server";
  private static final String DELETE_ALL =
      "[rabbit_amqqueue:delete(Q, false, false, <<\"somebody\">>) || Q <- rabbit_amqqueue:list()].";

  @Override
  public String name() {
    return "queues-deleted";
  }

  @Override
  public String what() {
    return "somebody deletes all queues of RabbitMQ";
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
    return Shell.has(PROGRAM) || Files.isExecutable(Path.of("/usr/lib/rabbitmq/bin", PROGRAM))
        ? null
        : "It needs RabbitMQ (on Debian: apt-get install rabbitmq-server).";
  }

  @Override
  public boolean isHidden() {
    return true;
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(1);
  }

  @Override
  public void inject(Rig rig) throws IOException, InterruptedException {
    rig.rabbit().control("eval", DELETE_ALL);
  }
}
