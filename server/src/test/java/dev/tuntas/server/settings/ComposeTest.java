package dev.tuntas.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.server.settings.Settings.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.yaml.snakeyaml.Yaml;

/// The cluster in `deploy/compose.yaml`, read as each of its processes would read it.
final class ComposeTest {

  private static final Path DEPLOY = Path.of("..", "deploy");
  private static final Map<String, Settings> processes = new HashMap<>();
  private static Map<String, Map<String, Object>> services;

  @BeforeAll
  static void read() throws IOException {
    try (var reader = Files.newBufferedReader(DEPLOY.resolve("compose.yaml"))) {
      Map<String, Map<String, Map<String, Object>>> file = new Yaml().load(reader);
      services = file.get("services");
    }
    var secrets = sample();
    secrets.replaceAll((_, value) -> ((String) value).replace("replace-me-", "0123456789abcdef-"));
    services.forEach(
        (name, service) -> {
          if (isOurs(service)) processes.put(name, settings(service, secrets));
        });
  }

  private static Properties sample() throws IOException {
    var sample = new Properties();
    try (var reader = Files.newBufferedReader(DEPLOY.resolve("tuntas.env.example"))) {
      sample.load(reader);
    }
    return sample;
  }

  private static boolean isOurs(Map<String, Object> service) {
    return service.get("image").equals("tuntas:latest");
  }

  /// Refuses what is unknown or cannot be, as a start would.
  private static Settings settings(Map<String, Object> service, Properties secrets) {
    var variables = new HashMap<String, Object>();
    secrets.forEach((name, value) -> variables.put(asInApplicationYml((String) name), value));
    variables.putAll(environment(service));
    var environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .forEach(it -> environment.getPropertySources().remove(it.getName()));
    environment
        .getPropertySources()
        .addFirst(
            new SystemEnvironmentPropertySource(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
    return SettingsReader.read(environment);
  }

  private static String asInApplicationYml(String name) {
    return name.replaceFirst("^TUNTAS_(\\w+_KEY|BBD_SECRET)$", "TUNTAS_CREDENTIALS_$1");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> environment(Map<String, Object> service) {
    return (Map<String, Object>) service.get("environment");
  }

  @Test
  void every_role_is_played_and_no_process_plays_all() {
    var played = EnumSet.noneOf(Role.class);
    processes.values().forEach(process -> played.addAll(process.roles()));
    assertThat(played).containsExactlyInAnyOrder(Role.values());
    assertThat(processes.values())
        .allSatisfy(process -> assertThat(process.roles()).hasSizeLessThan(3));
  }

  @Test
  void there_are_two_that_accept_and_two_that_run() {
    assertThat(processes.values().stream().filter(it -> it.roles().equals(Set.of(Role.WEB))))
        .hasSize(2);
    assertThat(processes.values().stream().filter(it -> it.roles().equals(Set.of(Role.WORKER))))
        .hasSize(2);
  }

  @Test
  void all_share_one_database_and_one_redis() {
    assertThat(processes.values())
        .extracting(it -> it.database().url())
        .containsOnly("jdbc:postgresql://postgres:5432/tuntas");
    assertThat(processes.values())
        .extracting(it -> it.redis().url().toString())
        .containsOnly("redis://redis:6379");
  }

  @Test
  void every_partner_is_a_process_that_plays_it() {
    var simulated = processes.get("simulator").partners();
    for (var name : new String[] {"web-1", "web-2", "worker-1", "worker-2"}) {
      var partners = processes.get(name).partners();
      assertThat(at(partners.inventory().url().getHost())).contains(Role.INVENTORY);
      assertThat(at(partners.payment().url().getHost())).contains(Role.PAYMENT);
      assertThat(at(partners.cart().url().getHost())).contains(Role.CART);
      assertThat(at(partners.bbd().url().getHost())).contains(Role.SIMULATOR);
      assertThat(partners.bbd().credential()).isEqualTo(simulated.bbd().credential()).isNotNull();
    }
    var bank = processes.get("payment").partners().bank();
    assertThat(at(bank.url().getHost())).contains(Role.SIMULATOR);
    assertThat(bank.url()).hasPath("/partner/bank");
    assertThat(bank.credential()).isEqualTo(simulated.bank().credential()).isNotNull();
    assertThat(simulated.bbd().callbackUrl()).hasHost("web").hasPath("/api/v1/callbacks/bbd");
  }

  private static Set<Role> at(String host) {
    return processes.get(host).roles();
  }

  @Test
  void every_container_says_whether_it_is_well() {
    assertThat(services)
        .allSatisfy((_, service) -> assertThat(service).containsKeys("healthcheck", "restart"));
  }

  @Test
  void no_process_starts_with_a_secret_of_the_sample() throws IOException {
    var sample = sample();
    assertThat(sample.values()).allSatisfy(it -> assertThat((String) it).startsWith("replace-me-"));
    for (var name : sample.stringPropertyNames()) {
      if (!name.startsWith("TUNTAS_")) continue;
      var secrets = sample();
      secrets.replaceAll(
          (other, value) -> other.equals(name) ? value : "0123456789abcdef-" + other);
      for (var service : services.values()) {
        if (!isOurs(service)) continue;
        assertThatThrownBy(() -> settings(service, secrets))
            .as(name)
            .hasMessageContaining("still has the value of a sample");
      }
    }
  }

  @Test
  void no_secret_is_in_the_file() throws IOException {
    assertThat(Files.readString(DEPLOY.resolve("compose.yaml")))
        .doesNotContain("PASSWORD:", "_KEY:", "_SECRET:");
  }
}
