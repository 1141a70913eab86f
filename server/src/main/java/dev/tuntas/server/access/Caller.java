package dev.tuntas.server.access;

import dev.tuntas.audit.AuditEntry;
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

  /// Whether something of this client may be shown: its own, or everything to operators.
  public boolean sees(String owner) {
    return client.equals(owner) || may(Role.VIEWER);
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
