package dev.tuntas.server.areas;

import dev.tuntas.areas.Area;
import dev.tuntas.areas.AreaBook;
import dev.tuntas.areas.AreaBook.Snapshot;
import dev.tuntas.areas.AreaDesk;
import dev.tuntas.areas.AreaRules;
import dev.tuntas.server.access.Caller;
import dev.tuntas.server.areas.AreaRequests.OverrideRequest;
import dev.tuntas.server.areas.AreaRequests.RulesPatch;
import dev.tuntas.server.http.JsonBody;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.http.ProblemException;
import dev.tuntas.server.settings.Here;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Conditional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Areas as operators see and change them.
@RestController
@Conditional(Here.Web.class)
@RequestMapping("/api/v1/admin/dispatcher/areas")
class AreasController {

  private final AreaBook book;
  private final AreaDesk desk;
  private final InstantSource clock;

  AreasController(AreaBook book, AreaDesk desk, InstantSource clock) {
    this.book = book;
    this.desk = desk;
    this.clock = clock;
  }

  @GetMapping("/status")
  Map<String, Object> status() {
    var now = clock.instant();
    return Map.of(
        "areas",
        desk.standings().stream()
            .map(it -> AreaShown.status(it, AreaDesk.isOpen(it.load(), now), now))
            .toList());
  }

  @GetMapping("/{id}")
  Map<String, @Nullable Object> show(@PathVariable String id) {
    var snapshot = book.current();
    var area = snapshot.areas().get(id);
    if (area == null) throw notFound();
    return AreaShown.area(area, rules(snapshot, area));
  }

  private static Map<String, AreaRules> rules(Snapshot snapshot, Area area) {
    var rules = new TreeMap<String, AreaRules>();
    for (var service : area.services()) rules.put(service, snapshot.rules(area.id(), service));
    return rules;
  }

  @PutMapping("/{id}")
  ResponseEntity<?> put(@PathVariable String id, JsonBody body, Caller caller) {
    if (!Area.isId(id)) {
      throw Problem.of(422, "id_invalid", "An id has 1 to 64 letters, digits and . _ : -")
          .asException();
    }
    var area = AreaRequests.area(id, body.fields());
    boolean made;
    try {
      made = book.put(area, caller::did);
    } catch (AreaBook.TooManyAreas _) {
      throw Problem.of(409, "too_many_areas", "There are 5000 areas; delete some first.")
          .asException();
    }
    return ResponseEntity.status(made ? 201 : 200)
        .body(AreaShown.area(area, rules(book.current(), area)));
  }

  @DeleteMapping("/{id}")
  ResponseEntity<Void> delete(@PathVariable String id, Caller caller) {
    if (!book.delete(id, caller::did)) throw notFound();
    return ResponseEntity.noContent().build();
  }

  @PutMapping("/{id}/threshold")
  Map<String, @Nullable Object> threshold(@PathVariable String id, JsonBody body, Caller caller) {
    var patch = RulesPatch.read(body.fields()).checked();
    requireService(id, patch.service());
    var rules =
        book.change(id, patch.service(), patch::applied, caller::did)
            .orElseThrow(AreasController::notFound);
    var shown = new LinkedHashMap<String, @Nullable Object>();
    shown.put("area_id", id);
    shown.putAll(AreaShown.rules(patch.service(), rules));
    return shown;
  }

  @PostMapping("/{id}/override")
  Map<String, @Nullable Object> override(@PathVariable String id, JsonBody body, Caller caller) {
    var wanted = OverrideRequest.read(body.fields(), clock.instant());
    for (var service : wanted.services()) requireService(id, service);
    if (!book.override(id, wanted.services(), wanted.override(), caller::did)) throw notFound();
    var shown = new LinkedHashMap<String, @Nullable Object>();
    shown.put("area_id", id);
    shown.put("service_type", wanted.services().isEmpty() ? null : wanted.services().getFirst());
    shown.put("override", AreaShown.override(wanted.override()));
    return shown;
  }

  private void requireService(String id, String service) {
    var area = book.current().areas().get(id);
    if (area == null) throw notFound();
    if (!area.services().contains(service)) {
      throw Problem.at(422, "/service_type", "out_of_range", "The area has no such service type.")
          .asException();
    }
  }

  private static ProblemException notFound() {
    return Problem.notFound().asException();
  }
}
