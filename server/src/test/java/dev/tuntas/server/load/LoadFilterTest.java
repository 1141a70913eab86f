package dev.tuntas.server.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tuntas.server.access.Route;
import dev.tuntas.server.access.Routes;
import dev.tuntas.server.http.ProblemException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

final class LoadFilterTest {

  private final LoadLimit limit = new LoadLimit(LoadLimitTest.settings(1, 1));
  private boolean standsStill;
  private final LoadFilter filter = new LoadFilter(limit, Duration.ofSeconds(3), () -> standsStill);

  @Test
  void placing_an_order_is_refused_while_there_is_no_room() {
    limit.enter();
    var problem =
        catchThrowableOfType(
                ProblemException.class, () -> send("POST", "/api/v1/orders", (_, _) -> {}))
            .problem();
    assertThat(problem.status()).isEqualTo(503);
    assertThat(problem.code()).isEqualTo("overloaded");
    assertThat(problem.headers()).containsEntry("Retry-After", "3");
  }

  @Test
  void placing_an_order_is_refused_while_nothing_can_be_written() {
    standsStill = true;
    var problem =
        catchThrowableOfType(
                ProblemException.class, () -> send("POST", "/api/v1/orders", (_, _) -> {}))
            .problem();
    assertThat(problem.status()).isEqualTo(503);
    assertThat(problem.code()).isEqualTo("store_unavailable");
    assertThat(problem.headers()).containsKey("Retry-After");
    assertThat(limit.inFlight()).isZero();
  }

  @Test
  void what_only_reads_is_never_refused() throws Exception {
    limit.enter();
    standsStill = true;
    assertThat(send("GET", "/api/v1/orders/{id}", (_, _) -> {})).isTrue();
  }

  @Test
  void room_is_given_back_at_the_end_however_it_ends() throws Exception {
    send("POST", "/api/v1/orders", (_, _) -> assertThat(limit.inFlight()).isEqualTo(1));
    assertThat(limit.inFlight()).isZero();
    assertThatThrownBy(() -> send("POST", "/api/v1/orders", LoadFilterTest::fail))
        .hasMessage("on purpose");
    assertThat(limit.inFlight()).isZero();
  }

  @Test
  void who_only_waits_takes_no_room() throws Exception {
    send(
        "POST",
        "/api/v1/orders",
        (request, _) -> {
          LoadPermit.workIsDone((MockHttpServletRequest) request);
          assertThat(limit.inFlight()).isZero();
        });
    assertThat(limit.inFlight()).isZero();
  }

  private static void fail(ServletRequest request, ServletResponse response) {
    throw new IllegalStateException("on purpose");
  }

  private boolean send(String method, String path, FilterChain chain) throws Exception {
    var request = new MockHttpServletRequest(method, path);
    var route =
        Routes.all().stream()
            .filter(it -> it.method().equals(method) && it.path().getPatternString().equals(path))
            .findFirst()
            .orElseThrow();
    request.setAttribute(Route.class.getName(), route);
    filter.doFilter(request, new MockHttpServletResponse(), chain);
    return true;
  }
}
