package dev.tuntas.server.access;

import dev.tuntas.audit.Audit;
import dev.tuntas.audit.Audit.Link;
import dev.tuntas.server.http.Cursors;
import dev.tuntas.server.http.ListQuery;
import dev.tuntas.server.http.Page;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// Shows what operators did.
@RestController
class AuditController {

  private final Audit audit;
  private final Cursors cursors;

  AuditController(Audit audit, Cursors cursors) {
    this.audit = audit;
    this.cursors = cursors;
  }

  @GetMapping("/api/v1/admin/audit")
  Page<Map<String, @Nullable Object>> list(HttpServletRequest request) {
    var query = ListQuery.of(request, cursors);
    var found = audit.newest(query.positionNumber(), query.limit() + 1);
    return query.page(found, link -> Long.toString(link.seq()), AuditController::shown);
  }

  private static Map<String, @Nullable Object> shown(Link link) {
    var entry = link.entry();
    var shown = new LinkedHashMap<String, @Nullable Object>();
    shown.put("seq", link.seq());
    shown.put("at", link.at());
    shown.put("actor", entry.actor());
    shown.put("key_id", entry.keyId());
    shown.put("roles", entry.roles());
    shown.put("address", entry.address());
    shown.put("action", entry.action());
    shown.put("subject", entry.subject());
    shown.put("result", entry.result().name().toLowerCase(Locale.ROOT));
    shown.put("before", entry.before());
    shown.put("after", entry.after());
    shown.put("reason", entry.reason());
    shown.put("trace_id", entry.traceId());
    shown.put("hash", link.hash());
    return shown;
  }
}
