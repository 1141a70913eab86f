package dev.tuntas.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

final class EarlyRefusalTest {

  private final LoadLimit limit = new LoadLimit(LoadLimitTest.settings(1, 1));
  private final List<Duration> held = new ArrayList<>();
  private final Ration ration = new Ration(2_000);
  private final EarlyRefusal refusal =
      new EarlyRefusal(
          limit,
          ration,
          Duration.ofSeconds(3),
          new Pace(1, Duration.ofSeconds(1)),
          () -> 0,
          held::add);
  private final MockHttpServletResponse response = new MockHttpServletResponse();
  private final MockFilterChain chain = new MockFilterChain();

  @Test
  void an_order_is_refused_at_once_while_there_is_no_room() throws Exception {
    limit.enter();
    refusal.doFilter(new MockHttpServletRequest("POST", "/api/v1/orders"), response, chain);

    assertThat(chain.getRequest()).isNull();
    assertThat(response.getStatus()).isEqualTo(503);
    assertThat(held).isEmpty();
    assertThat(response.getHeader("Retry-After")).isEqualTo("3");
    assertThat(response.getContentType()).isEqualTo("application/problem+json");
    assertThat(response.getContentAsString()).contains("\"code\":\"overloaded\"", "\"trace_id\":");
  }

  @Test
  void an_order_is_refused_while_too_many_others_are_worked_on() throws Exception {
    ration.follow(() -> 2_000);
    refusal.doFilter(new MockHttpServletRequest("POST", "/api/v1/orders"), response, chain);

    assertThat(response.getStatus()).isEqualTo(503);
    assertThat(limit.inFlight()).isZero();
  }

  @Test
  void an_order_goes_on_while_there_is_room_and_takes_none_here() throws Exception {
    refusal.doFilter(new MockHttpServletRequest("POST", "/api/v1/orders"), response, chain);

    assertThat(chain.getRequest()).isNotNull();
    assertThat(held).isEmpty();
    assertThat(limit.inFlight()).isZero();
  }

  @Test
  void what_is_no_new_order_goes_on_in_any_case() throws Exception {
    limit.enter();
    refusal.doFilter(new MockHttpServletRequest("GET", "/api/v1/orders"), response, chain);

    assertThat(chain.getRequest()).isNotNull();
  }

  @Test
  void of_many_who_are_refused_some_wait_for_it() throws Exception {
    limit.enter();
    for (int i = 0; i < 2; i++) {
      refusal.doFilter(new MockHttpServletRequest("POST", "/api/v1/orders"), response, chain);
    }
    assertThat(held).containsExactly(Duration.ofSeconds(1));
  }
}
