package dev.tuntas.server.access;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a key allows.
public enum Role {
  /// Its own orders.
  CLIENT,
  /// Reading everything.
  VIEWER,
  /// Tickets, refunds, cancelling.
  SUPPORT,
  /// Areas, overrides, thresholds, flags.
  DISPATCHER,
  /// All of it, and the simulators.
  ADMIN,
  /// Writes between processes.
  SERVICE,
  /// Calls to the partners that are simulated here.
  PARTNER;

  private static final Set<Role> OPERATORS = EnumSet.of(VIEWER, SUPPORT, DISPATCHER, ADMIN);

  boolean isOperator() {
    return OPERATORS.contains(this);
  }

  /// Whether who has this role may do what needs the other.
  boolean includes(Role other) {
    return switch (this) {
      case ADMIN -> true;
      case SUPPORT, DISPATCHER -> other == this || other == VIEWER;
      case CLIENT, VIEWER, SERVICE, PARTNER -> other == this;
    };
  }

  /// As it is written outside.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<Role> named(String text) {
    return Stream.of(values()).filter(role -> role.text().equals(text)).findFirst();
  }

  static String join(Set<Role> roles) {
    return roles.stream().sorted().map(Role::text).collect(Collectors.joining(","));
  }

  static Set<Role> split(String text) {
    var roles = EnumSet.noneOf(Role.class);
    for (var name : text.split(",", -1)) roles.add(valueOf(name.toUpperCase(Locale.ROOT)));
    return roles;
  }
}
