package dev.tuntas.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.settings.LoadSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

final class EarlyRefusalTest {

  private final LoadLimit limit =
      new LoadLimit(new LoadSettings(1, 1, Duration.ofMillis(100), Duration.ofSeconds(3)));
  private final EarlyRefusal refusal = new EarlyRefusal(limit, Duration.ofSeconds(3));
  private final MockHttpServletResponse response = new MockHttpServletResponse();
  private final MockFilterChain chain = new MockFilterChain();

  @Test
  void an_order_is_refused_at_once_while_there_is_no_room() throws Exception {
    limit.enter();
    refusal.doFilter(new MockHttpServletRequest("POST", "/api/v1/orders"), response, chain);

    assertThat(chain.getRequest()).isNull();
    assertThat(response.getStatus()).isEqualTo(503);
    assertThat(response.getHeader("Retry-After")).isEqualTo("3");
    assertThat(response.getContentType()).isEqualTo("application/problem+json");
    assertThat(response.getContentAsString()).contains("\"code\":\"overloaded\"", "\"trace_id\":");
  }

  @Test
  void an_order_goes_on_while_there_is_room_and_takes_none_here() throws Exception {
    refusal.doFilter(new MockHttpServletRequest("POST", "/api/v1/orders"), response, chain);

    assertThat(chain.getRequest()).isNotNull();
    assertThat(limit.inFlight()).isZero();
  }

  @Test
  void what_is_no_new_order_goes_on_in_any_case() throws Exception {
    limit.enter();
    refusal.doFilter(new MockHttpServletRequest("GET", "/api/v1/orders"), response, chain);

    assertThat(chain.getRequest()).isNotNull();
  }
}
