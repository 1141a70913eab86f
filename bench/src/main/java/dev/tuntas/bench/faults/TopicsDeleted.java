package dev.tuntas.bench.faults;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.StoreKind;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/// Somebody deletes all topics of Kafka, with what is in them, whenever they are there again.
final class TopicsDeleted implements Fault {

  private static final Duration EVERY = Duration.ofMillis(500);

  private @Nullable AdminClient admin;
  private @Nullable Again deleting;

  @Override
  public String name() {
    return "topics-deleted";
  }

  @Override
  public String what() {
    return "somebody deletes all topics of Kafka again and again";
  }

  @Override
  public Set<StoreKind> stores() {
    return Set.of(StoreKind.POSTGRES);
  }

  @Override
  public Set<Part> parts() {
    return Set.of(Part.KAFKA);
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
    Map<String, Object> at =
        Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, rig.kafka().servers());
    var client = AdminClient.create(at);
    admin = client;
    deleting = Again.start(EVERY, () -> deleteAll(client));
  }

  private static void deleteAll(AdminClient admin) throws InterruptedException {
    try {
      admin.deleteTopics(admin.listTopics().names().get()).all().get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) return; // it is gone already
      throw new BenchException("the topics could not be deleted: " + e.getCause(), e);
    }
  }

  @Override
  public void heal(Rig rig) throws InterruptedException {
    if (deleting != null) deleting.stop();
    if (admin != null) admin.close();
  }
}
