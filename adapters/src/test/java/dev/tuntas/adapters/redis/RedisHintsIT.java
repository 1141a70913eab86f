package dev.tuntas.adapters.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.orders.KeyHints.Hint;
import dev.tuntas.orders.KeyHints.Use;
import dev.tuntas.testservers.TestRedis;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Keys of clients and ids of messages, as Redis holds them.
class RedisHintsIT {

  private static final String NAME = "idempotency_key:shop:k-1";
  private static final Use USE = new Use("ord_1", "print", null);

  private static TestRedis redis;
  private static RedisLink link;
  private final RedisKeys keys = new RedisKeys(link, Duration.ofHours(24));

  @BeforeAll
  static void start() {
    redis = TestRedis.start();
    link = new RedisLink(RedisLink.Settings.of(redis.url(), Duration.ofSeconds(5)), _ -> {});
    Eventually.holds(() -> link.ask(it -> it.ping()).isPresent(), "Redis answers");
  }

  @AfterAll
  static void stop() throws Exception {
    link.close();
    redis.close();
  }

  @BeforeEach
  void empty() {
    redis.commands().flushall();
  }

  @Test
  void the_first_to_claim_a_key_is_told_that_it_is_new_and_the_second_nothing() {
    assertThat(keys.claim("shop", "k-1")).isEqualTo(new Hint.New());
    assertThat(redis.commands().get(NAME)).isEqualTo("in_progress");
    assertThat(redis.commands().ttl(NAME)).isBetween(86_390L, 86_400L);
    assertThat(keys.claim("shop", "k-1")).isEqualTo(new Hint.Untold());
    assertThat(keys.claim("other", "k-1")).isEqualTo(new Hint.New());
  }

  @Test
  void what_came_of_a_key_is_told_as_the_documents_write_it() {
    keys.claim("shop", "k-1");
    keys.used("shop", "k-1", USE);
    assertThat(keys.claim("shop", "k-1")).isEqualTo(new Hint.Used(USE));
    assertThat(redis.commands().get(NAME))
        .isEqualTo("{\"status\":\"success\",\"order_id\":\"ord_1\",\"fingerprint\":\"print\"}");
    var failed = new Use("ord_1", "print", "payment_declined");
    keys.used("shop", "k-1", failed);
    assertThat(keys.claim("shop", "k-1")).isEqualTo(new Hint.Used(failed));
    assertThat(redis.commands().get(NAME))
        .startsWith("{\"status\":\"failure\"")
        .endsWith("\"error\":\"payment_declined\"}");
    assertThat(redis.commands().ttl(NAME)).isBetween(86_390L, 86_400L);
  }

  @Test
  void a_key_that_was_forgotten_is_new() {
    keys.used("shop", "k-1", USE);
    keys.forget("shop", "k-1");
    assertThat(keys.claim("shop", "k-1")).isEqualTo(new Hint.New());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "{",
        "[1]",
        "7",
        "null",
        "{}",
        "{\"order_id\":7,\"fingerprint\":[]}",
        "{\"status\":\"success\",\"order_id\":\"ord_1\"}",
      })
  void nonsense_is_nothing_told_and_is_deleted(String nonsense) {
    redis.commands().set(NAME, nonsense);
    assertThat(keys.claim("shop", "k-1")).isEqualTo(new Hint.Untold());
    assertThat(keys.claim("shop", "k-1")).isEqualTo(new Hint.New());
  }

  @Test
  void a_huge_value_and_one_of_another_type_are_nothing_told_and_are_written_over() {
    redis.commands().set(NAME, "{\"order_id\":\"" + "x".repeat(100_000) + "\"}");
    assertThat(keys.claim("shop", "k-1")).isEqualTo(new Hint.Untold());
    assertThat(link.ask(it -> it.ping())).isPresent(); // all that was told has arrived
    redis.commands().del(NAME);
    redis.commands().lpush(NAME, "x");
    assertThat(keys.claim("shop", "k-1")).isEqualTo(new Hint.Untold());
    keys.used("shop", "k-1", USE);
    assertThat(keys.claim("shop", "k-1")).isEqualTo(new Hint.Used(USE));
  }

  @Test
  void a_message_is_remembered_for_a_day() {
    var recent = new RedisRecent(link);
    assertThat(recent.seen("e-1")).isFalse();
    recent.remember("e-1");
    assertThat(recent.seen("e-1")).isTrue();
    assertThat(recent.seen("e-2")).isFalse();
    assertThat(redis.commands().ttl("processed:e-1")).isBetween(86_390L, 86_400L);
    redis.commands().flushall();
    assertThat(recent.seen("e-1")).isFalse();
  }
}
