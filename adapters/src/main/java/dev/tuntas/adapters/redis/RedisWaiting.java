package dev.tuntas.adapters.redis;

import dev.tuntas.areas.AreaRules;
import dev.tuntas.areas.AreaService;
import dev.tuntas.areas.Slots.Count;
import dev.tuntas.areas.WaitingMirror;
import io.lettuce.core.KeyValue;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.SetArgs;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The mirror in Redis: who waits, as the sorted set `waiting:order:{area_id}:{service_type}` by
/// the end of each order's life, and beside it the hash `threshold:config:{area_id}:{service_type}`
/// with the rules and with when the set was last compared with the counts. A set that was not
/// compared lately shows nothing.
public final class RedisWaiting implements WaitingMirror {

  private static final Duration FRESH = Duration.ofSeconds(10);
  private static final Duration KEPT = Duration.ofHours(1);
  private static final int BATCH = 500;
  private static final String TURN = "waiting:compare";
  private static final String WAITING = "waiting";
  private static final String REACHED = "reached_at";
  private static final String COMPARED = "compared_at";

  private final RedisLink link;
  private final InstantSource clock;

  public RedisWaiting(RedisLink link, InstantSource clock) {
    this.link = link;
    this.clock = clock;
  }

  // Looking

  @Override
  public Optional<Seen> look(AreaService where) {
    return link.ask(
            redis ->
                redis
                    .zcard(set(where))
                    .thenCombine(
                        redis.hmget(hash(where), WAITING, REACHED, COMPARED), this::believed))
        .flatMap(seen -> seen);
  }

  /// Nothing if the set may have got lost since it was compared.
  private Optional<Seen> believed(long shown, List<KeyValue<String, String>> beside) {
    var counted = number(beside.get(0));
    var reached = number(beside.get(1));
    var compared = number(beside.get(2));
    if (counted == null || compared == null) return Optional.empty();
    long age = Math.abs(clock.millis() - compared);
    if (age > FRESH.toMillis() || (shown == 0 && counted > 0)) return Optional.empty();
    return Optional.of(new Seen(shown, reached == null ? null : Instant.ofEpochMilli(reached)));
  }

  private static @Nullable Long number(KeyValue<String, String> field) {
    try {
      return field.hasValue() ? Long.valueOf(field.getValue()) : null;
    } catch (NumberFormatException _) {
      return null;
    }
  }

  // Telling

  @Override
  public void joined(String orderId, AreaService where, Instant expiresAt) {
    link.tell(redis -> redis.zadd(set(where), score(expiresAt), orderId));
  }

  @Override
  public void left(String orderId, AreaService where) {
    link.tell(redis -> redis.zrem(set(where), orderId));
  }

  // Comparing

  boolean isAway() {
    return link.isResting();
  }

  /// Whether it is this process's turn to compare. So one of many does it, mostly.
  boolean takeTurn(Duration every) {
    return link.ask(redis -> redis.set(TURN, "1", SetArgs.Builder.nx().px(every))).isPresent();
  }

  /// How many it shows; nothing if that is no set.
  Optional<Long> shown(AreaService where) {
    return link.ask(redis -> redis.zcard(set(where)));
  }

  Optional<Set<String>> members(AreaService where) {
    return link.ask(redis -> redis.zrange(set(where), 0, -1)).map(HashSet::new);
  }

  void add(AreaService where, Map<String, Instant> orders) {
    var members = new ArrayList<ScoredValue<String>>();
    orders.forEach((order, expiresAt) -> members.add(ScoredValue.just(score(expiresAt), order)));
    for (int from = 0; from < members.size(); from += BATCH) {
      var batch = members.subList(from, Math.min(from + BATCH, members.size()));
      link.tell(redis -> redis.zadd(set(where), array(batch)));
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // there are no arrays of generic types
  private static ScoredValue<String>[] array(List<ScoredValue<String>> members) {
    return members.toArray(new ScoredValue[0]);
  }

  void remove(AreaService where, Set<String> orders) {
    if (orders.isEmpty()) return;
    link.tell(redis -> redis.zrem(set(where), orders.toArray(String[]::new)));
  }

  /// Whatever is there instead of a set.
  void clear(AreaService where) {
    link.tell(redis -> redis.del(set(where)));
  }

  /// The set was compared with these, and repaired if it had to be.
  void compared(AreaService where, Count count, AreaRules rules) {
    var fields = new LinkedHashMap<String, String>();
    fields.put("max_waiting_orders", Integer.toString(rules.maxWaitingOrders()));
    fields.put("dispatch_timeout_sec", Integer.toString(rules.dispatchTimeoutSec()));
    fields.put("order_lifetime_sec", Integer.toString(rules.orderLifetimeSec()));
    fields.put("retry_interval_sec", Integer.toString(rules.retryIntervalSec()));
    fields.put("busy_retry_interval_sec", Integer.toString(rules.busyRetryIntervalSec()));
    fields.put("cooldown_period_sec", Integer.toString(rules.cooldownPeriodSec()));
    fields.put("enabled", Boolean.toString(rules.enabled()));
    fields.put("priority", Integer.toString(rules.priority()));
    fields.put(WAITING, Long.toString(count.waiting()));
    var reached = count.reachedAt();
    fields.put(REACHED, reached == null ? "" : Long.toString(reached.toEpochMilli()));
    fields.put(COMPARED, Long.toString(clock.millis()));
    link.tell(redis -> redis.hset(hash(where), fields));
    link.tell(redis -> redis.expire(hash(where), KEPT));
    link.tell(redis -> redis.expire(set(where), KEPT));
  }

  private static double score(Instant expiresAt) {
    return (double) expiresAt.getEpochSecond();
  }

  private static String set(AreaService where) {
    return "waiting:order:" + where.area() + ":" + where.service();
  }

  private static String hash(AreaService where) {
    return "threshold:config:" + where.area() + ":" + where.service();
  }
}
