package dev.tuntas.audit;

import org.jspecify.annotations.Nullable;

/// What an operator did or was denied. It names things by their ids and holds no secret.
public record AuditEntry(
    String actor,
    String keyId,
    String roles,
    String address,
    String action,
    String subject,
    Result result,
    @Nullable String before,
    @Nullable String after,
    @Nullable String reason,
    String traceId) {

  public enum Result {
    DONE,
    DENIED
  }

  /// What the program does by itself.
  public static AuditEntry byProgram(String action, String subject) {
    return new AuditEntry("tuntas", "", "", "", action, subject, Result.DONE, null, null, null, "");
  }

  /// What a person did, where only the name is at hand.
  public static AuditEntry by(String actor, String action, String subject) {
    return new AuditEntry(actor, "", "", "", action, subject, Result.DONE, null, null, null, "");
  }

  public AuditEntry because(@Nullable String why) {
    return new AuditEntry(
        actor, keyId, roles, address, action, subject, result, before, after, why, traceId);
  }

  public AuditEntry changing(@Nullable String from, @Nullable String to) {
    return new AuditEntry(
        actor, keyId, roles, address, action, subject, result, from, to, reason, traceId);
  }

  public AuditEntry denied() {
    return new AuditEntry(
        actor,
        keyId,
        roles,
        address,
        action,
        subject,
        Result.DENIED,
        before,
        after,
        reason,
        traceId);
  }
}
