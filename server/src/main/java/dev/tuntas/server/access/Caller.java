package dev.tuntas.server.access;

import dev.tuntas.audit.AuditEntry;
import java.util.EnumSet;
import java.util.Set;

/// Who calls: a client, by one of its keys.
///
/// @param trusted whether what it says about customers is believed
public record Caller(
    String client, String keyId, Set<Role> roles, boolean trusted, String address, String traceId) {

  public Caller {
    roles = Set.copyOf(roles);
  }

  public boolean may(Role wanted) {
    return roles.stream().anyMatch(role -> role.includes(wanted));
  }

  /// The same with those of its roles that open a route: what the others allow elsewhere does not
  /// count there.
  Caller on(Route route) {
    var opening = EnumSet.noneOf(Role.class);
    for (var role : roles) {
      if (route.roles().stream().anyMatch(role::includes)) opening.add(role);
    }
    return new Caller(client, keyId, opening, trusted, address, traceId);
  }

  /// Whether something of this client is its own, by a role that lets it have things.
  public boolean owns(String owner) {
    return client.equals(owner) && may(Role.CLIENT);
  }

  /// Whether something of this client may be shown: its own, or everything to operators.
  public boolean sees(String owner) {
    return owns(owner) || may(Role.VIEWER);
  }

  /// Whether it may do what a customer of this client may.
  public boolean actsFor(String owner) {
    return owns(owner) || may(Role.SUPPORT);
  }

  /// The beginning of an audit entry: what was done, to what.
  public AuditEntry did(String action, String subject) {
    return new AuditEntry(
        client,
        keyId,
        Role.join(roles),
        address,
        action,
        subject,
        AuditEntry.Result.DONE,
        null,
        null,
        null,
        traceId);
  }
}
