package dev.tuntas.adapters.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.bus.Bus;
import dev.tuntas.bus.BusWatch;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.UnsentException;
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
    try (var kafka = TestKafka.start(folder, RULES)) {
      var settings = new KafkaAccess(kafka.servers(), 1, Duration.ofSeconds(30));
      try (var admin = Admin.create(settings.admin());
          var bus =
              new KafkaBus(settings, BusContract.QUICK, BusWatch.NONE, InstantSource.system())) {
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
        bus.send(List.of(event("e1", "missing"), event("e2", "known")));
        assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("e0");
        assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("e2");
        assertThatThrownBy(() -> bus.send(List.of(Message.command("c", "missing", "k", "{}"))))
            .isInstanceOfSatisfying(
                UnsentException.class, e -> assertThat(e.reasons()).containsOnlyKeys("c"));

        allow(admin);
        admin.createTopics(Set.of(topic("missing"))).all().get();
        BusContract.until(() -> isSent(bus, "missing"));
        assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("c");
      }
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
