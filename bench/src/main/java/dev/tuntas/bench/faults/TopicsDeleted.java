package dev.tuntas.bench.faults;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.StoreKind;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.admin.AdminClientConfig;

/// Somebody deletes all topics of Kafka.
final class TopicsDeleted implements Fault {

  @Override
  public String name() {
    return "topics-deleted";
  }

  @Override
  public String what() {
    return "somebody deletes all topics of Kafka";
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
    return Duration.ofSeconds(1);
  }

  @Override
  public void inject(Rig rig) throws InterruptedException {
    Map<String, Object> at =
        Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, rig.kafka().servers());
    try (var admin = AdminClient.create(at)) {
      admin.deleteTopics(admin.listTopics().names().get()).all().get();
    } catch (ExecutionException e) {
      throw new BenchException("the topics could not be deleted: " + e.getCause(), e);
    }
  }
}
