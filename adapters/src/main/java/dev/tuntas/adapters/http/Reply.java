package dev.tuntas.adapters.http;

import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/// What a service sent back, and what that says about the effect by its [AnswerRules]. What cannot
/// be understood says nothing: it is unclear.
///
/// @param retryAfter the header, as it came
record Reply(int status, @Nullable String retryAfter, byte[] body) {

  /// The code of an address at which there is nothing.
  static final String NOT_FOUND = "not_found";

  /// The code of a key that does not work there.
  static final String KEY_REFUSED = "service_key_refused";

  private static final JsonMapper JSON = new JsonMapper();
  private static final Pattern CODE = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,63}");
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,6}");
  private static final Duration WAIT_MAX = Duration.ofHours(1);
  private static final int DETAIL_CHARS_MAX = 300;

  /// @param reader makes a value of the body of a success, or nothing if it does not fit
  /// @param lookUp asks for the result of an earlier request, which this answer speaks of
  <T> Outcome<T> outcome(
      AnswerRules rules, Function<JsonNode, Optional<T>> reader, Supplier<Outcome<T>> lookUp) {
    return switch (rules.of(status, code())) {
      case DONE -> success(reader);
      case DECLINED -> declined();
      case DUPLICATE -> lookUp.get();
      case IN_PROGRESS -> Outcome.pending("The service has taken it and is not finished.");
      case BUSY -> new Outcome.Failed<>(busy());
      // Our key is at fault, not the order: nobody's order should fail for that.
      case KEY_REFUSED -> Outcome.unavailable(KEY_REFUSED, "The service refuses our key.");
      case UNAVAILABLE -> unavailable();
      case UNCLEAR -> Outcome.unclear("the service answered " + said());
    };
  }

  /// Not an answer of the service itself, which knows what we ask for: a proxy, another program.
  /// The effect may be there from an earlier attempt, so that it must not count as a refusal.
  private <T> Outcome<T> unavailable() {
    return status == 404
        ? Outcome.unavailable(NOT_FOUND, "There is no such service there.")
        : Outcome.unavailable("http_" + status, "The service answered " + status + ".");
  }

  private String said() {
    var code = code();
    return code == null ? "" + status : status + " " + code;
  }

  private @Nullable String code() {
    var code = json().path("code").asString("");
    return CODE.matcher(code).matches() ? code : null;
  }

  private <T> Outcome<T> success(Function<JsonNode, Optional<T>> reader) {
    return reader
        .apply(json())
        .map(Outcome::done)
        .orElseGet(
            () -> Outcome.unclear("the service answered " + status + " with something else"));
  }

  private <T> Outcome<T> declined() {
    var code = code();
    return Outcome.declined(
        code == null ? "http_" + status : code,
        plain(json().path("detail").asString("The service answered " + status + ".")));
  }

  private Failure busy() {
    var seconds = retryAfter != null && SECONDS.matcher(retryAfter).matches() ? retryAfter : "1";
    var wait = Duration.ofSeconds(Long.parseLong(seconds));
    return new Failure.Unavailable(
        "rate_limited",
        "The service asks us to come back later.",
        wait.compareTo(WAIT_MAX) > 0 ? WAIT_MAX : wait);
  }

  /// The body, or nothing that has any member.
  private JsonNode json() {
    try {
      var tree = JSON.readTree(body);
      return tree == null ? MissingNode.getInstance() : tree;
    } catch (JacksonException _) {
      return MissingNode.getInstance();
    }
  }

  /// Text from outside is stored and shown: one line, and not too long.
  private static String plain(String text) {
    var line = text.replaceAll("\\p{C}+", " ").strip();
    return line.length() <= DETAIL_CHARS_MAX ? line : line.substring(0, DETAIL_CHARS_MAX);
  }
}
