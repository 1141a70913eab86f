package dev.tuntas.adapters.bus;

import dev.tuntas.bus.BusAwayException;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;

/// Makes the topics that are needed and not there.
final class KafkaTopics implements AutoCloseable {

  private final KafkaAccess settings;
  private final Set<String> known = ConcurrentHashMap.newKeySet();
  private @Nullable Admin admin;

  KafkaTopics(KafkaAccess settings) {
    this.settings = settings;
  }

  void require(Collection<String> topics) throws BusAwayException {
    var missing = new TreeSet<>(topics);
    missing.removeAll(known);
    if (missing.isEmpty()) return;
    var wanted =
        missing.stream()
            .map(it -> new NewTopic(it, Optional.of(settings.partitions()), Optional.empty()))
            .toList();
    try {
      for (var made : admin().createTopics(wanted).values().entrySet()) {
        await("make the topic " + made.getKey(), made.getValue());
      }
    } catch (KafkaException e) {
      throw BusAwayException.unreached("make topics", e);
    }
    known.addAll(missing);
  }

  /// Somebody may have deleted them.
  void forget() {
    known.clear();
  }

  void ping() throws BusAwayException {
    try {
      await("ask who is there", admin().describeCluster().nodes());
    } catch (KafkaException e) {
      throw BusAwayException.unreached("ask who is there", e);
    }
  }

  private void await(String attempted, KafkaFuture<?> future) throws BusAwayException {
    try {
      future.get(settings.patience().toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TopicExistsException) return;
      throw BusAwayException.unreached(attempted + ": " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw BusAwayException.unreached(attempted + ": no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw BusAwayException.unreached(attempted + ": interrupted", e);
    }
  }

  /// A server whose name nobody knows yet is one that is away.
  private synchronized Admin admin() {
    if (admin == null) admin = Admin.create(settings.admin());
    return admin;
  }

  @Override
  public synchronized void close() {
    if (admin != null) admin.close(Duration.ofSeconds(1));
  }
}
