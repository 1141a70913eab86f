package dev.tuntas.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.server.settings.CheckoutSettings.Order;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

final class SettingsReaderTest {

  @Test
  void without_any_setting_the_defaults_of_the_documents_hold() {
    var settings = read(Map.of(), Map.of());
    assertThat(settings.port()).isEqualTo(8080);
    assertThat(settings.address()).isEqualTo("127.0.0.1");
    assertThat(settings.embedded()).isTrue();
    assertThat(settings.inventory().reservation().holdTtl()).isEqualTo(Duration.ofMinutes(15));
    assertThat(settings.inventory().reservation().expiryJobInterval())
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(settings.booking().saga().recoveryThreshold()).isEqualTo(Duration.ofMinutes(10));
    assertThat(settings.booking().saga().recoveryGiveUp()).isEqualTo(Duration.ofHours(24));
    assertThat(settings.booking().saga().recoveryInterval()).isEqualTo(Duration.ofMinutes(5));
    assertThat(settings.timeoutWorker().interval()).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.compensation().maxAttempts()).isEqualTo(3);
    assertThat(settings.checkout().order()).isEqualTo(Order.PAY_FIRST);
    assertThat(settings.ride().initialWait()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.rabbitmq().exchangeName()).isEqualTo("ecommerce.events");
  }

  @Test
  void a_setting_can_be_a_property_or_an_environment_variable() {
    var settings =
        read(
            Map.of("tuntas.partners.payment.url", "http://127.0.0.1:9/"),
            Map.of("TUNTAS_SAGA_GIVE_UP", "5m", "TUNTAS_CHECKOUT_ORDER", "reserve-first"));
    assertThat(settings.partners().payment().url()).isEqualTo(URI.create("http://127.0.0.1:9/"));
    assertThat(settings.saga().giveUp()).isEqualTo(Duration.ofMinutes(5));
    assertThat(settings.checkout().order()).isEqualTo(Order.RESERVE_FIRST);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tuntas.prot                                          | 1       | there is no setting tuntas.prot; is tuntas.port meant?
          tuntas.saga                                          | 1       | there is no setting tuntas.saga; is tuntas.data meant?
          tuntas.port                                          | abc     | tuntas.port is 'abc', which is not a whole number
          tuntas.port                                          | 65536   | tuntas.port is 65536, but must be between 0 and 65535
          tuntas.saga.give-up                                  | soon    | tuntas.saga.give-up is 'soon', which is not a duration such as 500ms, 30s, 5m or 24h
          tuntas.saga.give-up                                  | -5s     | tuntas.saga.give-up is PT-5S, but must be more than 0 and at most a year
          tuntas.saga.give-up                                  | 0s      | tuntas.saga.give-up is PT0S, but must be more than 0 and at most a year
          tuntas.compensation.max-attempts                     | -1      | tuntas.compensation.max-attempts is -1, but must be between 1 and 100
          tuntas.database.connections-max                      | -3      | tuntas.database.connections-max is -3, but must be between 4 and 1000
          tuntas.database.url                                  | mysql:x | tuntas.database.url must begin with jdbc:postgresql:
          tuntas.checkout.order                                | random  | tuntas.checkout.order is 'random', which is not one of pay-first, reserve-first
          tuntas.partners.inventory.url                        | nowhere | tuntas.partners.inventory.url is not a URL with a host that begins with http or https
          tuntas.partners.loyalty.url                          | nowhere | tuntas.partners.loyalty.url is not a URL with a host that begins with http or https
          tuntas.partners.inventory.url                        | file:/x | tuntas.partners.inventory.url is not a URL with a host that begins with http or https
          tuntas.partners.bank.credential                      | a b     | tuntas.partners.bank.credential may have visible ASCII characters only
          tuntas.partners.bank.rate-limit                      | 0       | tuntas.partners.bank.rate-limit is 0, but must be between 1 and 1000000
          tuntas.partners.loyalty.rate-limit                   | 0       | tuntas.partners.loyalty.rate-limit is 0, but must be between 1 and 1000000
          tuntas.partners.cart.rate-limit                      | -1      | tuntas.partners.cart.rate-limit is -1, but must be between 1 and 1000000
          tuntas.slack.webhook-url                             | a b     | tuntas.slack.webhook-url is not a URL
          tuntas.inventory.driven-by                           | messages | tuntas.inventory.driven-by is messages, but there is no broker: set tuntas.kafka.bootstrap-servers or tuntas.rabbitmq.url
          tuntas.kafka.bootstrap-servers                       | kafka   | tuntas.kafka.bootstrap-servers must be host:port, several with commas between
          tuntas.inventory.reservation.idempotency-redis-cache | true    | tuntas.inventory.reservation.idempotency-redis-cache cannot be true: what was answered to a key is read from the database, see docs/redis.md
          tuntas.redis.timeout                                 | 0s      | tuntas.redis.timeout is PT0S, but must be more than 0 and at most a year
          tuntas.redis.url                                     | http://x | tuntas.redis.url is not a URL with a host that begins with redis or rediss
          tuntas.credentials.admin-key                         | short   | TUNTAS_ADMIN_KEY has less than 16 characters and can be guessed; draw one of your own, as with: openssl rand -hex 24
          """)
  void a_wrong_setting_is_refused_with_a_sentence(String key, String value, String sentence) {
    assertThatThrownBy(() -> read(Map.of(key, value), Map.of()))
        .isInstanceOf(SettingsException.class)
        .hasMessage(sentence);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bbd", "bank", "loyalty"})
  void no_partner_is_given_a_key_of_ours(String partner) {
    for (var ours : List.of("client-key", "admin-key", "service-key")) {
      var both =
          Map.<String, Object>of(
              "tuntas.credentials." + ours, "a-key-that-we-are-called-with",
              "tuntas.partners." + partner + ".credential", "a-key-that-we-are-called-with");
      assertThatThrownBy(() -> read(both, Map.of()))
          .isInstanceOf(SettingsException.class)
          .hasMessage(
              "tuntas.partners.%s.credential is one of our own keys: a partner needs one of its own"
                  .formatted(partner));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "tuntas.credentials.client-key, TUNTAS_CLIENT_KEY, replace-me-2",
    "tuntas.credentials.admin-key, TUNTAS_ADMIN_KEY, replace-me-3-and-some-more-of-it",
    "tuntas.credentials.service-key, TUNTAS_SERVICE_KEY, please-Change_Me-0123456789",
    "tuntas.credentials.bbd-secret, TUNTAS_BBD_SECRET, whsec_replaceme0123456789",
    "tuntas.partners.bbd.retired-secret, tuntas.partners.bbd.retired-secret, replace-me-0123456789",
    "tuntas.partners.bank.credential, tuntas.partners.bank.credential, replace-me-7",
    "tuntas.partners.cart.credential, tuntas.partners.cart.credential, replace-me-7",
    "tuntas.database.password, tuntas.database.password, replace-me-1",
    "tuntas.database.url, tuntas.database.url, jdbc:postgresql://db/x?password=replace-me-1",
    "tuntas.smtp.password, tuntas.smtp.password, changeit",
    "tuntas.customer-webhook.secret, tuntas.customer-webhook.secret, change-this-0123456789",
    "tuntas.rabbitmq.url, tuntas.rabbitmq.url, amqp://user:replace-me@127.0.0.1",
    "tuntas.redis.url, tuntas.redis.url, redis://:replace-me@127.0.0.1",
  })
  void a_secret_of_a_sample_is_refused(String key, String named, String value) {
    var given = new HashMap<String, Object>(Map.of(key, value));
    if (key.endsWith("retired-secret")) given.put(key + "-until", "2100-01-01T00:00:00Z");
    assertThatThrownBy(() -> read(given, Map.of()))
        .isInstanceOf(SettingsException.class)
        .hasMessage(
            named
                + " still has the value of a sample, which everybody knows;"
                + " draw one of your own, as with: openssl rand -hex 24");
  }

  @Test
  void a_word_that_only_looks_like_a_sample_is_taken() {
    var url = "jdbc:postgresql://127.0.0.1/exchange_items";
    assertThat(read(Map.of("tuntas.database.url", url), Map.of()).database().url()).isEqualTo(url);
  }

  @Test
  void there_is_one_bus_and_not_two() {
    var both =
        Map.<String, Object>of(
            "tuntas.kafka.bootstrap-servers", "127.0.0.1:9092",
            "tuntas.rabbitmq.url", "amqp://127.0.0.1");
    assertThatThrownBy(() -> read(both, Map.of()))
        .isInstanceOf(SettingsException.class)
        .hasMessage(
            "tuntas.kafka.bootstrap-servers and tuntas.rabbitmq.url are both set, but there is one"
                + " bus");
  }

  @Test
  void an_environment_variable_with_a_misspelt_name_is_refused_too() {
    assertThatThrownBy(() -> read(Map.of(), Map.of("TUNTAS_SAGA_GIVEUPP", "5m")))
        .hasMessage("there is no setting TUNTAS_SAGA_GIVEUPP; is tuntas.saga.give-up meant?");
  }

  @Test
  void no_secret_is_ever_printed_with_the_settings() {
    var settings =
        read(
            Map.of(
                "tuntas.database.password", "s3cret-word",
                "tuntas.smtp.password", "s3cret-word",
                "tuntas.rabbitmq.url", "amqp://user:s3cret-word@127.0.0.1",
                "tuntas.customer-webhook.url", "https://example.com/hook",
                "tuntas.customer-webhook.secret", "s3cret-word-of-24-letters",
                "tuntas.slack.webhook-url", "https://hooks.example.com/s3cret",
                "tuntas.redis.url", "redis://:s3cret@example.com",
                "tuntas.credentials.admin-key", "s3cret-word-of-an-admin"),
            Map.of(
                "TUNTAS_PARTNERS_BBD_CREDENTIAL", "s3cret-word-for-bbd",
                "TUNTAS_PARTNERS_BANK_CREDENTIAL", "s3cret-word-for-a-bank",
                "TUNTAS_PARTNERS_CART_CREDENTIAL", "s3cret-word-for-carts"));
    assertThat(settings.toString()).doesNotContain("s3cret");
  }

  private static Settings read(Map<String, Object> properties, Map<String, String> variables) {
    var environment = new StandardEnvironment();
    environment.getPropertySources().remove("systemProperties");
    environment
        .getPropertySources()
        .replace(
            "systemEnvironment",
            new SystemEnvironmentPropertySource("systemEnvironment", new HashMap<>(variables)));
    environment.getPropertySources().addFirst(new MapPropertySource("given", properties));
    org.springframework.boot.context.properties.source.ConfigurationPropertySources.attach(
        environment);
    return SettingsReader.read(environment);
  }
}
