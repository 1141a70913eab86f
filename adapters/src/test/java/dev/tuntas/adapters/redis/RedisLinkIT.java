package dev.tuntas.adapters.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.adapters.redis.RedisLink.Result;
import dev.tuntas.testservers.TestRedis;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What the link makes of a Redis that is well, dead, mute, full or wrong.
class RedisLinkIT {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final TestRedis redis = TestRedis.start();
  private final List<Result> results = Collections.synchronizedList(new ArrayList<>());
  private final RedisLink link = link(redis.url());

  private RedisLink link(URI url) {
    return link(url, TIMEOUT, PAUSE);
  }

  private RedisLink link(URI url, Duration timeout, Duration pause) {
    return new RedisLink(new RedisLink.Settings(url, timeout, 3, pause), results::add);
  }

  @AfterEach
  void close() throws Exception {
    link.close();
    redis.close();
  }

  private static void untilWell(RedisLink link) {
    Eventually.holds(
        () -> link.ask(it -> it.ping()).isPresent() && !link.isResting(), "Redis is asked again");
  }

  private static void untilResting(RedisLink link) {
    Eventually.holds(
        () -> {
          link.ask(it -> it.ping());
          return link.isResting();
        },
        "Redis is left alone");
  }

  @Test
  void it_asks_and_tells() {
    untilWell(link);
    link.tell(it -> it.set("a", "1"));
    assertThat(link.ask(it -> it.get("a"))).contains("1");
    assertThat(link.ask(it -> it.get("b"))).isEmpty();
    assertThat(results).endsWith(Result.OK, Result.OK, Result.OK);
  }

  @Test
  void where_there_is_none_nothing_is_told_and_nobody_waits() {
    try (var nowhere = link(URI.create("redis://127.0.0.1:1"))) {
      for (int i = 0; i < 1_000; i++) assertThat(nowhere.ask(it -> it.ping())).isEmpty();
      assertThat(nowhere.isResting()).isTrue();
      assertThat(results).containsOnly(Result.SKIPPED);
    }
  }

  @Test
  void one_that_is_killed_is_left_alone_and_found_again() throws Exception {
    untilWell(link);
    redis.kill();
    untilResting(link);
    redis.begin();
    untilWell(link);
    link.tell(it -> it.set("a", "2"));
    assertThat(link.ask(it -> it.get("a"))).contains("2");
  }

  /// It is being connected for as long as nobody answers.
  @Test
  void whoever_looks_while_it_is_being_connected_does_not_connect_again() throws Exception {
    var before = connectionsReceived();
    try (var hasty = link(redis.url(), TIMEOUT, Duration.ZERO)) {
      redis.stopAnswering();
      for (int i = 0; i < 1_000; i++) hasty.ask(it -> it.ping());
      redis.goOn();
      Eventually.holds(() -> !hasty.isResting(), "Redis was found well");
      assertThat(connectionsReceived()).isEqualTo(before + 1);
    }
  }

  private int connectionsReceived() {
    return redis
        .commands()
        .info("stats")
        .lines()
        .filter(line -> line.startsWith("total_connections_received:"))
        .mapToInt(line -> Integer.parseInt(line.substring(line.indexOf(':') + 1)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void one_that_stops_answering_costs_a_few_timeouts_and_then_nothing() throws Exception {
    try (var impatient = link(redis.url(), Duration.ofMillis(500), PAUSE)) {
      untilWell(impatient);
      results.clear();
      redis.stopAnswering();
      untilResting(impatient);
      assertThat(results.stream().filter(it -> it == Result.TIMEOUT)).hasSize(3);
      results.clear();
      for (int i = 0; i < 10_000; i++) {
        assertThat(impatient.ask(it -> it.ping())).isEmpty();
        impatient.tell(it -> it.set("a", "1"));
      }
      assertThat(results).containsOnly(Result.SKIPPED);
      redis.goOn();
      untilWell(impatient);
    }
  }

  @Test
  void one_that_is_only_told_things_and_answers_nothing_does_not_fill_our_memory()
      throws Exception {
    untilWell(link);
    redis.stopAnswering();
    for (int i = 0; i < 20_000; i++) link.tell(it -> it.set("a", "1"));
    assertThat(link.isResting()).isTrue();
    redis.goOn();
    untilWell(link);
  }

  @Test
  void a_refusal_is_a_miss_and_no_reason_to_leave_it_alone() {
    untilWell(link);
    redis.commands().lpush("list", "x");
    for (int i = 0; i < 10; i++) assertThat(link.ask(it -> it.get("list"))).isEmpty();
    redis.commands().configSet("maxmemory", "1");
    assertThat(link.ask(it -> it.set("a", "1"))).isEmpty();
    redis.commands().configSet("maxmemory", "0");
    assertThat(results).endsWith(Result.REFUSED, Result.REFUSED);
    assertThat(link.isResting()).isFalse();
  }
}
