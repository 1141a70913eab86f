package dev.tuntas.adapters.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.bus.Bus;
import dev.tuntas.bus.BusWatch;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.MessageBook;
import dev.tuntas.bus.MessageRelay;
import dev.tuntas.bus.UnsentException;
import dev.tuntas.store.Tables;
import dev.tuntas.testservers.TestKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A Kafka that lets nobody create topics.
class KafkaForbiddenIT {

  private static final String RULES =
      """
      authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
      allow.everyone.if.no.acl.found=true
      """;

  @TempDir Path folder;

  private static AclBinding rule(
      ResourceType type, String name, AclOperation operation, AclPermissionType permission) {
    return new AclBinding(
        new ResourcePattern(type, name, PatternType.LITERAL),
        new AccessControlEntry("User:*", "*", operation, permission));
  }

  /// Everything else stays allowed.
  private static List<AclBinding> rules() {
    var cluster = Resource.CLUSTER_NAME;
    return List.of(
        rule(ResourceType.CLUSTER, cluster, AclOperation.ALL, AclPermissionType.ALLOW),
        rule(ResourceType.TOPIC, "*", AclOperation.ALL, AclPermissionType.ALLOW),
        rule(ResourceType.CLUSTER, cluster, AclOperation.CREATE, AclPermissionType.DENY),
        rule(ResourceType.TOPIC, "*", AclOperation.CREATE, AclPermissionType.DENY));
  }

  private static NewTopic topic(String name) {
    return new NewTopic(name, Optional.of(1), Optional.empty());
  }

  @Test
  @Timeout(180)
  void topics_that_exist_are_used_and_the_others_when_somebody_has_created_them() throws Exception {
    var missing = new AtomicInteger();
    var watch =
        new BusWatch() {
          @Override
          public void missing(int kinds) {
            missing.set(kinds);
          }
        };
    try (var kafka = TestKafka.start(folder, RULES)) {
      var settings = new KafkaAccess(kafka.servers(), 1, Duration.ofSeconds(30));
      try (var admin = Admin.create(settings.admin());
          var bus = new KafkaBus(settings, BusContract.QUICK, watch, InstantSource.system())) {
        admin.createTopics(Set.of(topic("known"))).all().get();
        // The first consumer makes a topic of Kafka's own.
        var first = new LinkedBlockingQueue<String>();
        bus.listen("first", Set.of("known"), message -> first.add(message.id()));
        bus.send(List.of(event("e0", "known")));
        assertThat(first.poll(60, TimeUnit.SECONDS)).isEqualTo("e0");
        admin.createAcls(rules()).all().get();
        BusContract.until(() -> isForbidden(admin));

        bus.prepare(Set.of("known", "missing"));
        var heard = new LinkedBlockingQueue<String>();
        bus.listen("queue", Set.of("known", "missing"), message -> heard.add(message.id()));
        assertThatThrownBy(() -> bus.send(List.of(event("e1", "missing"), event("e2", "known"))))
            .isInstanceOfSatisfying(
                UnsentException.class,
                e -> {
                  assertThat(e.reasons()).isEmpty();
                  assertThat(e.missing()).containsExactly("missing");
                });
        assertThat(missing).hasValue(1);
        assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("e0");
        assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("e2");
        assertThatThrownBy(() -> bus.send(List.of(Message.command("c", "missing", "k", "{}"))))
            .isInstanceOfSatisfying(
                UnsentException.class, e -> assertThat(e.reasons()).containsOnlyKeys("c"));

        allow(admin);
        admin.createTopics(Set.of(topic("missing"))).all().get();
        BusContract.until(() -> isSent(bus, "missing"));
        assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("c");
        assertThat(missing).hasValue(0);
      }
    }
  }

  /// On a Kafka that makes no topics, one that cannot be seen for a moment looks like one that is
  /// missing.
  @Test
  @Timeout(180)
  void an_event_whose_topic_cannot_be_seen_waits_in_the_book(@TempDir Path data) throws Exception {
    try (var kafka = TestKafka.start(folder, RULES);
        var tables = Tables.sqlite(data, MessageBook.TABLES)) {
      var settings = new KafkaAccess(kafka.servers(), 1, Duration.ofSeconds(30));
      try (var admin = Admin.create(settings.admin());
          var bus =
              new KafkaBus(settings, BusContract.QUICK, BusWatch.NONE, InstantSource.system())) {
        admin.createTopics(Set.of(topic("late"), topic("known"))).all().get();
        var heard = new LinkedBlockingQueue<String>();
        bus.listen("queue", Set.of("known"), message -> heard.add(message.id()));
        bus.send(List.of(event("e0", "known")));
        assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("e0");
        admin.createAcls(rules()).all().get();
        BusContract.until(() -> isForbidden(admin));
        var unseen = rule(ResourceType.TOPIC, "late", AclOperation.ALL, AclPermissionType.DENY);
        admin.createAcls(List.of(unseen)).all().get();
        BusContract.until(() -> !isSeen(admin));

        var book = new MessageBook();
        var clock = InstantSource.system();
        var relay = new MessageRelay(tables, book, bus, clock, "here", Duration.ofDays(1));
        for (var message : List.of(event("e1", "late"), event("e2", "known"))) {
          tables.write("put", session -> book.put(session, message, null, clock.instant()));
        }
        relay.relay();
        assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("e2");
        assertThat(tables.<Long>read("count", book::waiting)).isEqualTo(1);

        admin.deleteAcls(List.of(unseen.toFilter())).all().get();
        BusContract.until(
            () -> {
              relay.relay();
              return tables.<Long>read("count", book::waiting) == 0;
            });
        bus.listen("late", Set.of("late"), message -> heard.add(message.id()));
        assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("e1");
      }
    }
  }

  private static boolean isSeen(Admin admin) throws Exception {
    try {
      admin.describeTopics(Set.of("late")).allTopicNames().get();
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AuthorizationException) return false;
      throw e;
    }
  }

  private static Message event(String id, String kind) {
    return Message.event(id, kind, "k", "{}");
  }

  private static boolean isForbidden(Admin admin) throws Exception {
    try {
      admin.createTopics(Set.of(topic("try"))).all().get();
      admin.deleteTopics(Set.of("try")).all().get();
      return false;
    } catch (ExecutionException e) {
      return e.getCause() instanceof AuthorizationException;
    }
  }

  private static void allow(Admin admin) throws Exception {
    admin.deleteAcls(rules().stream().map(AclBinding::toFilter).toList()).all().get();
    BusContract.until(() -> !isForbidden(admin));
  }

  private static boolean isSent(Bus bus, String kind) throws Exception {
    try {
      bus.send(List.of(Message.command("c", kind, "k", "{}")));
      return true;
    } catch (UnsentException _) {
      return false;
    }
  }
}
