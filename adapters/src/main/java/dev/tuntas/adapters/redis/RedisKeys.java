package dev.tuntas.adapters.redis;

import dev.tuntas.orders.KeyHints;
import io.lettuce.core.SetArgs;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Clients' keys under `idempotency_key:{client}:{key}`: `in_progress`, and then what came of it as
/// JSON. What cannot be understood is deleted.
public final class RedisKeys implements KeyHints {

  private static final Logger log = LoggerFactory.getLogger(RedisKeys.class);
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String IN_PROGRESS = "in_progress";
  private static final int LENGTH_MAX = 1_000;

  private final RedisLink link;
  private final Duration kept;

  public RedisKeys(RedisLink link, Duration kept) {
    this.link = link;
    this.kept = kept;
  }

  @Override
  public Hint claim(String client, String key) {
    var name = name(client, key);
    var found =
        link.ask(
            redis ->
                redis
                    .setGet(name, IN_PROGRESS, SetArgs.Builder.nx().ex(kept))
                    .thenApply(Optional::ofNullable));
    if (found.isEmpty()) return new Hint.Untold();
    return found.get().map(text -> read(name, text)).orElseGet(Hint.New::new);
  }

  private Hint read(String name, String text) {
    if (text.equals(IN_PROGRESS)) return new Hint.Untold();
    var use = use(text);
    if (use.isPresent()) return new Hint.Used(use.get());
    log.warn("Redis holds something else than an answer under a client's key; it is deleted");
    link.tell(redis -> redis.del(name));
    return new Hint.Untold();
  }

  private static Optional<Use> use(String text) {
    if (text.length() > LENGTH_MAX) return Optional.empty();
    try {
      var json = JSON.readTree(text);
      var order = text(json, "order_id");
      var print = text(json, "fingerprint");
      return order.isEmpty() || print.isEmpty()
          ? Optional.empty()
          : Optional.of(new Use(order.get(), print.get(), text(json, "error").orElse(null)));
    } catch (JacksonException _) {
      return Optional.empty();
    }
  }

  private static Optional<String> text(JsonNode json, String name) {
    return json.path(name).asStringOpt();
  }

  @Override
  public void used(String client, String key, Use use) {
    var json = new LinkedHashMap<String, String>();
    json.put("status", use.error() == null ? "success" : "failure");
    json.put("order_id", use.orderId());
    json.put("fingerprint", use.fingerprint());
    if (use.error() != null) json.put("error", use.error());
    var text = JSON.writeValueAsString(json);
    link.tell(redis -> redis.set(name(client, key), text, SetArgs.Builder.ex(kept)));
  }

  @Override
  public void forget(String client, String key) {
    link.tell(redis -> redis.del(name(client, key)));
  }

  private static String name(String client, String key) {
    return "idempotency_key:" + client + ":" + key;
  }
}
