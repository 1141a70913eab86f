package dev.tuntas.server.wiring;

import dev.tuntas.adapters.redis.RedisKeys;
import dev.tuntas.adapters.redis.RedisLink;
import dev.tuntas.adapters.redis.RedisRecent;
import dev.tuntas.adapters.redis.RedisWaiting;
import dev.tuntas.adapters.redis.WaitingKeeper;
import dev.tuntas.areas.AreaBook;
import dev.tuntas.areas.WaitingMirror;
import dev.tuntas.bus.Recent;
import dev.tuntas.orders.KeyHints;
import dev.tuntas.server.observe.ResultMeters;
import dev.tuntas.server.rounds.Rounds;
import dev.tuntas.server.settings.Here;
import dev.tuntas.server.settings.Settings;
import dev.tuntas.store.Tables;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Objects;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/// Redis, if there is one, and otherwise nobody who would give a hint.
@Configuration(proxyBeanMethods = false)
class RedisWiring {

  @Configuration(proxyBeanMethods = false)
  @Conditional(Here.NoRedis.class)
  static class Without {

    @Bean
    KeyHints keyHints() {
      return KeyHints.NONE;
    }

    @Bean
    WaitingMirror waitingMirror() {
      return WaitingMirror.NONE;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Conditional(Here.Redis.class)
  static class With {

    @Bean
    RedisLink redisLink(Settings settings, MeterRegistry registry) {
      var redis = settings.redis();
      var link =
          new RedisLink(
              RedisLink.Settings.of(Objects.requireNonNull(redis.url()), redis.timeout()),
              new ResultMeters<>(
                  RedisLink.Result.class,
                  "redis_calls_total",
                  "Calls of Redis, by what became of them",
                  registry));
      Gauge.builder("redis_resting", link, it -> it.isResting() ? 1 : 0)
          .description("Redis: 1 while it does not answer and is not asked, else 0")
          .register(registry);
      return link;
    }

    @Bean
    KeyHints keyHints(RedisLink link, Settings settings) {
      return new RedisKeys(link, settings.idempotency().ttl());
    }

    @Bean
    Recent recent(RedisLink link) {
      return new RedisRecent(link);
    }

    @Bean
    RedisWaiting waitingMirror(RedisLink link, InstantSource clock) {
      return new RedisWaiting(link, clock);
    }

    @Bean
    @Conditional(Here.Worker.class)
    Rounds waitingRounds(AreaBook book, Tables areaTables, RedisWaiting mirror, Settings settings) {
      var every = settings.redis().compareEvery();
      var keeper = new WaitingKeeper(book, areaTables, mirror, every);
      return new Rounds(
          "waiting-rounds",
          every,
          () -> {
            keeper.round();
            return false;
          });
    }

    /// Whoever looks is told that it is away; nothing depends on it, so nothing is down for it.
    @Bean
    HealthIndicator redisHealthIndicator(RedisLink link) {
      return () -> Health.up().withDetail("answers", !link.isResting()).build();
    }
  }
}
