package dev.tuntas.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Lane;
import dev.tuntas.server.settings.PartnerSettings;
import dev.tuntas.server.settings.PartnerSettings.Bank;
import dev.tuntas.server.settings.PartnerSettings.Dispatch;
import dev.tuntas.server.settings.PartnerSettings.Loyalty;
import dev.tuntas.server.settings.PartnerSettings.Service;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PartnerLanesTest {

  private static final URI ELSEWHERE = URI.create("http://127.0.0.1:9/");
  private static final Service HERE = service(null, null);

  private static Service service(@Nullable URI url, @Nullable Integer rateLimit) {
    return new Service(url, rateLimit, 100, null);
  }

  private static Lane.Settings lane(String name, Service payment, @Nullable URI bank) {
    var partners =
        new PartnerSettings(
            new Dispatch(null, 200, 150, null, null, null, null),
            service(ELSEWHERE, null),
            payment,
            HERE,
            new Bank(bank, 300, 70, null),
            new Loyalty(null, 200, null));
    return PartnerLanes.of(partners).stream()
        .filter(lane -> lane.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Lane.Settings limited(String name, int perSecond, int concurrency) {
    return Lane.Settings.of(name).perSecond(perSecond).concurrency(concurrency);
  }

  @Test
  void whoever_is_elsewhere_has_a_limit() {
    assertThat(lane("bbd", HERE, null)).isEqualTo(limited("bbd", 200, 150));
    assertThat(lane("inventory", HERE, null)).isEqualTo(limited("inventory", 5_000, 100));
    assertThat(lane("payment", service(ELSEWHERE, 50), ELSEWHERE))
        .isEqualTo(limited("payment", 50, 100));
  }

  @Test
  void a_service_of_this_process_has_none_unless_it_is_set() {
    assertThat(lane("cart", HERE, null)).isEqualTo(Lane.Settings.of("cart"));
    assertThat(lane("payment", HERE, null)).isEqualTo(Lane.Settings.of("payment"));
    assertThat(lane("payment", service(null, 50), null).perSecond()).isEqualTo(50);
  }

  @Test
  void a_payment_service_of_this_process_has_that_of_the_bank_behind_it() {
    assertThat(lane("payment", HERE, ELSEWHERE)).isEqualTo(limited("payment", 300, 70));
    assertThat(lane("payment", service(null, 50), ELSEWHERE)).isEqualTo(limited("payment", 50, 70));
  }
}
