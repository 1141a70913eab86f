package dev.tuntas.server.access;

import java.util.EnumSet;
import java.util.Set;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/// One method of one path, and who may call it.
///
/// @param roles any of these is enough; with none of them the route is open
/// @param produces what it answers with
/// @param sheds whether it is refused early when there is more to do than can be done
public record Route(
    String method, PathPattern path, Set<Role> roles, String produces, boolean sheds) {

  static final String JSON = "application/json";
  static final String ANY = "*/*";

  static Route of(String method, String path, Role... roles) {
    var set = EnumSet.noneOf(Role.class);
    for (var role : roles) set.add(role);
    var pattern = PathPatternParser.defaultInstance.parse(path);
    return new Route(method, pattern, set, JSON, false);
  }

  Route producing(String mediaType) {
    return new Route(method, path, roles, mediaType, sheds);
  }

  Route shedding() {
    return new Route(method, path, roles, produces, true);
  }

  public boolean open() {
    return roles.isEmpty();
  }

  boolean has(PathContainer requested) {
    return path.matches(requested);
  }

  boolean isFor(String requested) {
    return method.equals(requested) || (method.equals("GET") && requested.equals("HEAD"));
  }

  boolean allows(Caller caller) {
    return roles.stream().anyMatch(caller::may);
  }

  /// Whether it is for operators only.
  boolean isOperators() {
    return roles.stream().allMatch(Role::isOperator);
  }
}
