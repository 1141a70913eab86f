package dev.tuntas.server.areas;

import dev.tuntas.areas.AreaBook;
import dev.tuntas.areas.AreaHistory;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.settings.Here;
import jakarta.servlet.http.HttpServletRequest;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.context.annotation.Conditional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Reports: how full areas were, and what shadow mode would have refused.
@RestController
@Conditional(Here.Web.class)
@RequestMapping("/api/v1/admin/dispatcher")
class AreaReportsController {

  /// A chart shows no more.
  private static final long STRETCHES_MAX = 288;

  private final AreaBook book;
  private final AreaHistory history;
  private final InstantSource clock;

  AreaReportsController(AreaBook book, AreaHistory history, InstantSource clock) {
    this.book = book;
    this.history = history;
    this.clock = clock;
  }

  @GetMapping("/areas/{id}/history")
  Map<String, Object> history(@PathVariable String id, HttpServletRequest request) {
    var span = TimeSpan.of(request, clock.instant());
    var snapshot = book.current();
    var area = snapshot.areas().get(id);
    if (area == null) throw Problem.notFound().asException();
    long minutes = Math.max(1, Math.ceilDiv(span.length().toMinutes(), STRETCHES_MAX));
    var zone = ZoneId.of(snapshot.rules(id, area.services().getFirst()).timeZone());
    var shown = new LinkedHashMap<String, Object>();
    shown.put("area_id", id);
    shown.put("from", span.from());
    shown.put("to", span.to());
    shown.put("interval_sec", minutes * 60);
    shown.put(
        "items",
        history.stretches(id, span.from(), span.to(), minutes).stream()
            .map(AreaShown::stretch)
            .toList());
    shown.put("time_zone", zone.getId());
    // Quarters of an hour fall into one hour wherever the area is.
    shown.put(
        "peak_hours", AreaShown.peakHours(history.stretches(id, span.from(), span.to(), 15), zone));
    return shown;
  }

  @GetMapping("/shadow-report")
  Map<String, Object> shadows(HttpServletRequest request) {
    var span = TimeSpan.of(request, clock.instant());
    var shadows = history.shadows(span.from(), span.to());
    var shown = new LinkedHashMap<String, Object>();
    shown.put("from", span.from());
    shown.put("to", span.to());
    shown.put("would_have_refused", shadows.stream().mapToLong(AreaHistory.Shadow::orders).sum());
    shown.put("items", shadows.stream().map(AreaReportsController::shadow).toList());
    return shown;
  }

  private static Map<String, Object> shadow(AreaHistory.Shadow it) {
    var shown = new LinkedHashMap<String, Object>();
    shown.put("area_id", it.area());
    shown.put("service_type", it.service());
    shown.put("error_code", it.code());
    shown.put("orders", it.orders());
    shown.put("waiting_max", it.waitingMost());
    return shown;
  }
}
