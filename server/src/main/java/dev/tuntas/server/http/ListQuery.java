package dev.tuntas.server.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The parameters of a list: its filters, how many, and where to go on.
public final class ListQuery {

  private static final int LIMIT_DEFAULT = 20;
  private static final int LIMIT_MAX = 100;
  private static final int VALUE_MAX = 200;

  private final Map<String, String> filters = new TreeMap<>();
  private final int limit;
  private final Optional<String> position;
  private final String list;
  private final Cursors cursors;

  private ListQuery(HttpServletRequest request, Cursors cursors, Set<String> filterNames) {
    this.cursors = cursors;
    var given = parameters(request);
    given.forEach((name, value) -> keep(name, value, filterNames));
    limit = limit(given.get("limit"));
    list = request.getRequestURI() + filters;
    position = Optional.ofNullable(given.get("cursor")).map(it -> cursors.open(list, it));
  }

  /// Reads the parameters; those that are not `limit`, `cursor` or one of the filters are refused.
  public static ListQuery of(HttpServletRequest request, Cursors cursors, String... filters) {
    return new ListQuery(request, cursors, Set.of(filters));
  }

  /// The parameters of a request that is not a list. Each may appear once.
  public static Map<String, String> parameters(HttpServletRequest request) {
    var parameters = new TreeMap<String, String>();
    request
        .getParameterMap()
        .forEach(
            (name, values) -> {
              if (values.length != 1) throw invalid("A parameter appears twice.");
              if (values[0].length() > 2000 || Texts.flaw(values[0]).isPresent()) {
                throw invalid("A parameter has a value that cannot be.");
              }
              parameters.put(name, values[0]);
            });
    return parameters;
  }

  private void keep(String name, String value, Set<String> filterNames) {
    if (name.equals("limit") || name.equals("cursor")) return;
    if (!filterNames.contains(name)) {
      throw invalid("There is a parameter that this list does not know.");
    }
    if (value.length() > VALUE_MAX) throw invalid("The parameter " + name + " is too long.");
    if (!value.isEmpty()) filters.put(name, value);
  }

  private static int limit(@Nullable String given) {
    if (given == null) return LIMIT_DEFAULT;
    if (given.matches("[0-9]{1,3}")) {
      int limit = Integer.parseInt(given);
      if (limit >= 1 && limit <= LIMIT_MAX) return limit;
    }
    throw Problem.of(400, "limit_invalid", "limit is a whole number from 1 to 100.").asException();
  }

  public int limit() {
    return limit;
  }

  /// What the last element of the page before was called.
  public Optional<String> position() {
    return position;
  }

  /// Like [#position], for lists ordered by a number.
  public Optional<Long> positionNumber() {
    return position.map(Long::parseLong);
  }

  public Optional<String> filter(String name) {
    return Optional.ofNullable(filters.get(name));
  }

  /// A filter that is one of the constants, by its name.
  public <E extends Enum<E>> Optional<E> filter(String name, Class<E> type) {
    return filter(name)
        .map(
            given ->
                List.of(type.getEnumConstants()).stream()
                    .filter(choice -> choice.name().equalsIgnoreCase(given))
                    .findFirst()
                    .orElseThrow(() -> invalid("The parameter " + name + " has no such value.")));
  }

  public Optional<Boolean> flag(String name) {
    return filter(name)
        .map(
            given -> {
              if (given.equals("true") || given.equals("false")) return given.equals("true");
              throw invalid("The parameter " + name + " is true or false.");
            });
  }

  /// A page of what was found: ask the database for one more than [#limit] to know whether there is
  /// a next one.
  public <T, R> Page<R> page(List<T> found, Function<T, String> position, Function<T, R> shown) {
    return page(found, null, position, shown);
  }

  /// The same for a search that may have stopped before its end: then the next page goes on from
  /// where it looked last.
  public <T, R> Page<R> page(
      List<T> found,
      @Nullable String stoppedAt,
      Function<T, String> position,
      Function<T, R> shown) {
    boolean more = found.size() > limit;
    var items = more ? found.subList(0, limit) : found;
    var last = more ? position.apply(items.getLast()) : stoppedAt;
    var next = last == null ? null : cursors.seal(list, last);
    return new Page<>(items.stream().map(shown).toList(), next);
  }

  public static ProblemException invalid(String detail) {
    return Problem.of(400, "parameter_invalid", detail).asException();
  }
}
