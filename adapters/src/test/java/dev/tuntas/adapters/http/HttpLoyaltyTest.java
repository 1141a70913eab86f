package dev.tuntas.adapters.http;

import static dev.tuntas.areas.Loyalty.ELITE;
import static dev.tuntas.areas.Loyalty.EXPLORER;
import static dev.tuntas.areas.Loyalty.VOYAGER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.adapters.http.HttpLoyalty.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is asked of the loyalty service, and what is made of its answers.
class HttpLoyaltyTest {

  private final WireServer server = new WireServer();
  private final ServiceClient client = new ServiceClient(ServiceSettings.of(server.url(), "tk_1"));
  private final AtomicLong nanos = new AtomicLong();
  private final List<Result> results = new ArrayList<>();
  private boolean takesMore = true;
  private final HttpLoyalty loyalty = asking(client);

  private HttpLoyalty asking(ServiceClient service) {
    return new HttpLoyalty(service, () -> takesMore, results::add, nanos::get);
  }

  @AfterEach
  void close() throws Exception {
    client.close();
    server.close();
  }

  private void level(String level) {
    server.answer(200, "", "{\"level\":\"" + level + "\"}");
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void a_level_is_asked_for_by_user() throws InterruptedException {
    level("VOYAGER");
    assertThat(loyalty.levelOf("user 1&x")).isEqualTo(VOYAGER);
    var asked = server.received();
    assertThat(asked.line()).isEqualTo("GET /api/loyalty?user_id=user%201%26x HTTP/1.1");
    assertThat(asked.headers()).contains("Authorization: Bearer tk_1");
  }

  @Test
  void an_answer_is_good_for_a_minute() {
    level("VOYAGER");
    assertThat(loyalty.levelOf("u")).isEqualTo(VOYAGER);
    level("ELITE");
    pass(Duration.ofSeconds(59));
    assertThat(loyalty.levelOf("u")).isEqualTo(VOYAGER);
    assertThat(loyalty.levelOf("another")).isEqualTo(ELITE);
    pass(Duration.ofSeconds(1));
    assertThat(loyalty.levelOf("u")).isEqualTo(ELITE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "200 | {'level':'EMPEROR'}",
        "404 | {}",
        "422 | {'code':'user_unknown'}",
      })
  void whoever_is_unknown_has_the_lowest_level_and_others_are_asked_for(int status, String body) {
    server.answer(status, "", body.replace('\'', '"'));
    assertThat(loyalty.levelOf("u")).isEqualTo(EXPLORER);
    level("ELITE");
    assertThat(loyalty.levelOf("another")).isEqualTo(ELITE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"500 | {}", "200 | {'level':7}", "200 | nonsense", "401 | {}", "429 | {}"})
  void a_service_in_trouble_costs_a_bonus_and_is_left_alone_for_a_second(int status, String body) {
    server.answer(status, "", body.replace('\'', '"'));
    assertThat(loyalty.levelOf("u")).isEqualTo(EXPLORER);
    level("ELITE");
    assertThat(loyalty.levelOf("another")).isEqualTo(EXPLORER);
    pass(Duration.ofSeconds(1));
    assertThat(loyalty.levelOf("u")).isEqualTo(ELITE);
    assertThat(results).containsExactly(Result.FAILED, Result.SKIPPED, Result.OK);
  }

  @Test
  void a_service_that_takes_no_more_costs_a_bonus_and_is_not_asked() {
    level("ELITE");
    takesMore = false;
    assertThat(loyalty.levelOf("u")).isEqualTo(EXPLORER);
    takesMore = true;
    assertThat(loyalty.levelOf("u")).isEqualTo(ELITE);
    takesMore = false;
    assertThat(loyalty.levelOf("u")).as("what it said before is still good").isEqualTo(ELITE);
    assertThat(results).containsExactly(Result.LIMITED, Result.OK);
  }

  @Test
  void a_service_that_does_not_answer_is_not_waited_for() throws InterruptedException {
    server.answer("").thenSaysNothingMore();
    var settings =
        new ServiceSettings(server.url(), "tk_1", Duration.ofSeconds(10), Duration.ofSeconds(1));
    try (var impatient = new ServiceClient(settings)) {
      assertThat(asking(impatient).levelOf("u")).isEqualTo(EXPLORER);
    }
    assertThat(server.received()).isNotNull();
  }
}
