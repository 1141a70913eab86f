package dev.tuntas.adapters.bus;

import dev.tuntas.bus.BusAwayException;
import dev.tuntas.bus.BusWatch;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes the topics that are needed and not there. Where that is forbidden, those that exist are
/// used, and it is said once which are missing.
final class KafkaTopics implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(KafkaTopics.class);

  /// Somebody may create a missing topic at any time.
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

  private final KafkaAccess settings;
  private final BusWatch watch;
  private final Supplier<Admin> admins;
  private final Set<String> known = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> missingSince = new ConcurrentHashMap<>();
  private final Set<String> said = ConcurrentHashMap.newKeySet();
  private @Nullable Admin admin;

  KafkaTopics(KafkaAccess settings, BusWatch watch) {
    this(settings, watch, () -> Admin.create(settings.admin()));
  }

  KafkaTopics(KafkaAccess settings, BusWatch watch, Supplier<Admin> admins) {
    this.settings = settings;
    this.watch = watch;
    this.admins = admins;
  }

  /// Returns those of them that are missing and may not be made here.
  Set<String> require(Collection<String> topics) throws BusAwayException {
    var wanted = new TreeSet<>(topics);
    wanted.removeAll(known);
    if (wanted.isEmpty()) return Set.of();
    var looked = new TreeSet<>(wanted);
    looked.removeIf(this::isMissingForNow);
    if (!looked.isEmpty()) look(looked);
    wanted.removeAll(known);
    return wanted;
  }

  private boolean isMissingForNow(String topic) {
    var since = missingSince.get(topic);
    return since != null && System.nanoTime() - since < LOOK_AGAIN.toNanos();
  }

  private void look(Set<String> topics) throws BusAwayException {
    var forbidden = ask("make topics", asked -> forbidden(asked, topics));
    for (var topic : topics) {
      if (forbidden.contains(topic)) missingSince.put(topic, System.nanoTime());
      else found(topic);
    }
    watch.missing(missingSince.size());
    forbidden.removeIf(topic -> !said.add(topic));
    if (!forbidden.isEmpty()) {
      log.warn(
          "These topics are missing, and Kafka does not let us create them: {}. Create them. Until"
              + " then what is to go there waits in the database.",
          String.join(", ", forbidden));
    }
  }

  private void found(String topic) {
    known.add(topic);
    missingSince.remove(topic);
    if (said.remove(topic)) log.info("The topic {} is there now", topic);
  }

  private Set<String> forbidden(Admin asked, Set<String> topics) throws BusAwayException {
    var forbidden = new TreeSet<String>();
    var wanted = topics.stream().map(this::topic).toList();
    for (var made : asked.createTopics(wanted).values().entrySet()) {
      boolean isMade = isDone("make the topic " + made.getKey(), made.getValue());
      if (!isMade) forbidden.add(made.getKey());
    }
    for (var found : asked.describeTopics(forbidden).topicNameValues().entrySet()) {
      boolean isThere = isDone("look for the topic " + found.getKey(), found.getValue());
      if (isThere) forbidden.remove(found.getKey());
    }
    return forbidden;
  }

  private NewTopic topic(String name) {
    return new NewTopic(name, Optional.of(settings.partitions()), Optional.empty());
  }

  /// Somebody may have deleted them.
  void forget() {
    known.clear();
  }

  void ping() throws BusAwayException {
    var attempted = "ask who is there";
    ask(attempted, asked -> isDone(attempted, asked.describeCluster().nodes()));
  }

  private interface Question<T> {
    T to(Admin asked) throws BusAwayException;
  }

  /// A client that gave no answer may have died, and is never asked again.
  private <T> T ask(String attempted, Question<T> question) throws BusAwayException {
    var asked = admin();
    try {
      return question.to(asked);
    } catch (BusAwayException unanswered) {
      abandon(asked);
      throw unanswered;
    } catch (KafkaException | IllegalStateException e) {
      abandon(asked);
      throw BusAwayException.unreached(attempted + ": " + e, e);
    }
  }

  /// False if we may not do it, or there is nothing.
  private boolean isDone(String attempted, KafkaFuture<?> future) throws BusAwayException {
    try {
      future.get(settings.patience().toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException e) {
      return switch (e.getCause()) {
        case TopicExistsException _ -> true;
        case AuthorizationException _,
            PolicyViolationException _,
            UnknownTopicOrPartitionException _ ->
            false;
        case null, default -> throw BusAwayException.unreached(attempted + ": " + e.getCause(), e);
      };
    } catch (TimeoutException e) {
      throw BusAwayException.unreached(attempted + ": no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw BusAwayException.unreached(attempted + ": interrupted", e);
    }
  }

  /// A server whose name nobody knows yet is one that is away.
  private synchronized Admin admin() throws BusAwayException {
    try {
      if (admin == null) admin = admins.get();
      return admin;
    } catch (KafkaException e) {
      throw BusAwayException.unreached("reach Kafka: " + e.getCause(), e);
    }
  }

  private synchronized void abandon(Admin asked) {
    if (asked.equals(admin)) admin = null;
    asked.close(Duration.ZERO);
  }

  @Override
  public synchronized void close() {
    if (admin != null) admin.close(Duration.ofSeconds(1));
    admin = null;
  }
}
