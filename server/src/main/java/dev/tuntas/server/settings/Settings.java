package dev.tuntas.server.settings;

import java.net.URI;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Everything below `tuntas.`, as it was configured. A value that cannot be used is refused when
/// the record is made, so that a server that started has none.
///
/// @param address what the server listens on: this machine only, unless told otherwise
/// @param data the folder of the databases, and of the keys made at the first start
/// @param publicUrl where customers reach the server, for links in messages
/// @param roles what this process does
public record Settings(
    @DefaultValue("8080") int port,
    @DefaultValue("127.0.0.1") String address,
    @DefaultValue("data") Path data,
    @Nullable URI publicUrl,
    @DefaultValue({"web", "worker", "inventory", "payment", "cart", "simulator"}) Set<Role> roles,
    @DefaultValue DatabaseSettings database,
    @DefaultValue CredentialSettings credentials,
    @DefaultValue RateSettings rateLimit,
    @DefaultValue LoadSettings load,
    @DefaultValue InventorySettings inventory,
    @DefaultValue PaymentSettings payment,
    @DefaultValue BookingSettings booking,
    @DefaultValue CheckoutSettings checkout,
    @DefaultValue RideSettings ride,
    @DefaultValue SagaSettings saga,
    @DefaultValue IdempotencySettings idempotency,
    @DefaultValue TimeoutWorkerSettings timeoutWorker,
    @DefaultValue WatchdogSettings watchdog,
    @DefaultValue CompensationSettings compensation,
    @DefaultValue PartnerSettings partners,
    @DefaultValue SlackSettings slack,
    @DefaultValue SmtpSettings smtp,
    @DefaultValue CustomerWebhookSettings customerWebhook,
    @DefaultValue OutgoingSettings outgoing,
    @DefaultValue KafkaSettings kafka,
    @DefaultValue RabbitSettings rabbitmq,
    @DefaultValue RedisSettings redis) {

  /// What a process can do. By default one does everything.
  public enum Role {
    WEB,
    WORKER,
    INVENTORY,
    PAYMENT,
    CART,
    SIMULATOR
  }

  public Settings {
    Limits.between("port", port, 0, 65_535);
    if (address.isBlank()) throw new IllegalArgumentException("address is empty");
    if (publicUrl != null) Limits.web("public-url", publicUrl);
    if (roles.isEmpty()) throw new IllegalArgumentException("roles is empty");
    roles = EnumSet.copyOf(roles);
    partners.refuseKeysOf(credentials);
    if (kafka.bootstrapServers() != null && rabbitmq.url() != null) {
      throw new IllegalArgumentException(
          "kafka.bootstrap-servers and tuntas.rabbitmq.url are both set, but there is one bus");
    }
    boolean hasBroker = kafka.bootstrapServers() != null || rabbitmq.url() != null;
    if (inventory.drivenBy() == InventorySettings.DrivenBy.MESSAGES && !hasBroker) {
      throw new IllegalArgumentException(
          "inventory.driven-by is messages, but there is no broker: set"
              + " tuntas.kafka.bootstrap-servers or tuntas.rabbitmq.url");
    }
    refuse("inventory.reservation", inventory.reservation().idempotencyRedisCache());
    refuse("payment", payment.idempotencyRedisCache());
  }

  private static void refuse(String service, boolean cache) {
    if (cache) {
      throw new IllegalArgumentException(
          service
              + ".idempotency-redis-cache cannot be true: what was answered to a key is read from"
              + " the database, see docs/redis.md");
    }
  }

  /// Whether messages go over a broker.
  public boolean hasBroker() {
    return kafka.bootstrapServers() != null || rabbitmq.url() != null;
  }

  public boolean is(Role role) {
    return roles.contains(role);
  }

  /// Whether orders are accepted or run here.
  public boolean hasOrders() {
    return is(Role.WEB) || is(Role.WORKER);
  }

  /// Whether all data lies in a folder of this machine, for one process.
  public boolean embedded() {
    return database.url() == null;
  }
}
