package dev.tuntas.server.support;

import dev.tuntas.audit.Audit;
import dev.tuntas.audit.AuditEntry;
import dev.tuntas.server.access.Caller;
import dev.tuntas.store.Session;
import dev.tuntas.support.AuditTrail;
import java.sql.SQLException;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/// Writes down what the caller of the current request did; without one, it was the program.
public final class RequestAudit implements AuditTrail {

  private final Audit audit;

  public RequestAudit(Audit audit) {
    this.audit = audit;
  }

  @Override
  public void append(Session session, Entry entry) throws SQLException {
    var request = RequestContextHolder.getRequestAttributes();
    if (request == null) {
      audit.append(
          session,
          AuditEntry.byProgram(entry.action(), entry.subject())
              .changing(entry.before(), entry.after()));
      return;
    }
    var caller =
        (Caller) request.getAttribute(Caller.class.getName(), RequestAttributes.SCOPE_REQUEST);
    if (caller == null || !caller.client().equals(entry.actor())) {
      throw new IllegalStateException("a deed of nobody who called");
    }
    audit.append(
        session,
        caller
            .did(entry.action(), entry.subject())
            .changing(entry.before(), entry.after())
            .because(entry.reason().isEmpty() ? null : entry.reason()));
  }
}
