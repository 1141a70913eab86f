package dev.tuntas.adapters.redis;

import dev.tuntas.bus.Recent;
import io.lettuce.core.SetArgs;
import java.time.Duration;

/// What was handled in the last day, under `processed:{event_id}`.
public final class RedisRecent implements Recent {

  private static final Duration KEPT = Duration.ofHours(24);

  private final RedisLink link;

  public RedisRecent(RedisLink link) {
    this.link = link;
  }

  @Override
  public boolean seen(String id) {
    return link.ask(redis -> redis.exists(key(id))).orElse(0L) > 0;
  }

  @Override
  public void remember(String id) {
    link.tell(redis -> redis.set(key(id), "1", SetArgs.Builder.ex(KEPT)));
  }

  private static String key(String id) {
    return "processed:" + id;
  }
}
