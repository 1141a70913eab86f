package dev.tuntas.server.support;

import dev.tuntas.audit.Audit;
import dev.tuntas.engine.Engine;
import dev.tuntas.engine.HistoryLine;
import dev.tuntas.engine.Progress;
import dev.tuntas.engine.Ruling;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.SagaView;
import dev.tuntas.orders.OrderBook;
import dev.tuntas.server.access.Caller;
import dev.tuntas.server.http.Cursors;
import dev.tuntas.server.http.Fields;
import dev.tuntas.server.http.JsonBody;
import dev.tuntas.server.http.ListQuery;
import dev.tuntas.server.http.Page;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.settings.Here;
import dev.tuntas.store.SagaPages;
import dev.tuntas.store.Stores;
import dev.tuntas.store.Tables;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Conditional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Sagas that have not ended, and what people decide about them. A decision and its audit entry are
/// one transaction; the saga's own owner carries it out.
@RestController
@Conditional(Here.Web.class)
@RequestMapping("/api/v1/admin/sagas")
class SagasController {

  /// Sorts after every id.
  private static final String AFTER_ALL = "~";

  private static final Duration DECIDED_WITHIN = Duration.ofSeconds(2);
  private static final int TEXT_MAX = 1_000;
  private static final OrderBook.Filter ANY = new OrderBook.Filter(null, null, null, null);

  private final Engine engine;
  private final Stores stores;
  private final Tables tables;
  private final OrderBook book;
  private final Audit audit;
  private final Cursors cursors;
  private final InstantSource clock;

  SagasController(
      Engine engine,
      Stores stores,
      Tables orderTables,
      OrderBook book,
      Audit audit,
      Cursors cursors,
      InstantSource clock) {
    this.engine = engine;
    this.stores = stores;
    this.tables = orderTables;
    this.book = book;
    this.audit = audit;
    this.cursors = cursors;
    this.clock = clock;
  }

  /// Those of open orders; with `stuck=true`, all that wait for a person. That of a ride may be one
  /// of them though the ride is over.
  @GetMapping
  Page<Map<String, Object>> list(HttpServletRequest request) {
    var query = ListQuery.of(request, cursors, "stuck");
    var below = query.position().orElse(AFTER_ALL);
    var ids =
        query.flag("stuck").orElse(false)
            ? held(below, query.limit() + 1)
            : open(below, query.limit() + 1);
    return query.page(ids, id -> id, this::shown);
  }

  private List<String> held(String below, int limit) {
    return tables.read(
        "list sagas that wait for a person",
        session -> SagaPages.held(session, below, limit).stream().map(SagaRow::id).toList());
  }

  private List<String> open(String below, int limit) {
    return book.list(ANY, null, true, below, limit).stream().map(OrderBook.Line::id).toList();
  }

  private Map<String, Object> shown(String id) {
    return engine.find(id).map(this::shown).orElseGet(() -> Map.of("id", id));
  }

  private Map<String, Object> shown(SagaView saga) {
    var json = new LinkedHashMap<String, Object>();
    json.put("id", saga.id());
    json.put("definition", saga.definition());
    json.put("status", saga.status().name());
    json.put("progress", word(saga.progress()));
    var step = step(saga.progress());
    if (step != null) json.put("step", step);
    json.put("version", saga.version());
    json.put("created_at", saga.createdAt());
    json.put("moved_at", saga.movedAt());
    if (saga.dueAt() != null) json.put("due_at", saga.dueAt());
    json.put("history", engine.history(saga.id()).stream().map(SagasController::line).toList());
    return json;
  }

  private static Map<String, Object> line(HistoryLine line) {
    return Map.of("version", line.version(), "at", line.at(), "what", line.what());
  }

  private static String word(Progress progress) {
    return switch (progress) {
      case Progress.Ready _ -> "ready";
      case Progress.Sent _ -> "sent";
      case Progress.Asking _ -> "unclear";
      case Progress.Undoing _ -> "undoing";
      case Progress.Held(var before, _) -> "held, " + word(before);
      case Progress.Done _ -> "done";
      case Progress.Undone _ -> "undone";
    };
  }

  private static @Nullable String step(Progress progress) {
    return switch (progress) {
      case Progress.Ready ready -> ready.step();
      case Progress.Sent sent -> sent.step();
      case Progress.Asking asking -> asking.step();
      case Progress.Undoing undoing -> undoing.step();
      case Progress.Held held -> step(held.before());
      case Progress.Done _, Progress.Undone _ -> null;
    };
  }

  @PostMapping("/{id}/retry-now")
  ResponseEntity<?> retry(@PathVariable String id, HttpServletRequest request, Caller caller)
      throws InterruptedException {
    var fields = JsonBody.readOrEmpty(request).fields();
    var reason = fields.optionalText("reason", TEXT_MAX).orElse("tried again by hand");
    fields.finish();
    find(id);
    return rule(id, caller, Ruling.retry(caller.client(), reason));
  }

  @PostMapping("/{id}/resolve")
  ResponseEntity<?> resolve(@PathVariable String id, JsonBody body, Caller caller)
      throws InterruptedException {
    var fields = body.fields();
    var step = fields.id("step");
    var outcome = fields.oneOfLowerCase("outcome", Outcome.class);
    var evidence = fields.text("evidence", TEXT_MAX);
    fields.finish();
    var kind =
        switch (outcome) {
          case HAPPENED -> Ruling.Kind.HAPPENED;
          case DID_NOT_HAPPEN -> Ruling.Kind.DID_NOT_HAPPEN;
        };
    var saga = at(id, step);
    return rule(id, caller, new Ruling(kind, caller.client(), evidence, evidence, saga.version()));
  }

  private enum Outcome {
    HAPPENED,
    DID_NOT_HAPPEN
  }

  @PostMapping("/{id}/skip")
  ResponseEntity<?> skip(@PathVariable String id, JsonBody body, Caller caller)
      throws InterruptedException {
    var fields = body.fields();
    var step = fields.id("step");
    var reason = reason(fields);
    fields.finish();
    var saga = at(id, step);
    return rule(
        id, caller, new Ruling(Ruling.Kind.SKIP, caller.client(), reason, "", saga.version()));
  }

  @PostMapping("/{id}/give-up")
  ResponseEntity<?> giveUp(@PathVariable String id, JsonBody body, Caller caller)
      throws InterruptedException {
    var fields = body.fields();
    var reason = reason(fields);
    fields.finish();
    var saga = find(id);
    return rule(
        id, caller, new Ruling(Ruling.Kind.GIVE_UP, caller.client(), reason, "", saga.version()));
  }

  private static String reason(Fields fields) {
    if (!fields.has("reason")) {
      fields.refuse("reason", "reason_required", "Say why, for those who read it later.");
    }
    return fields.optionalText("reason", TEXT_MAX).orElse("x");
  }

  private SagaView find(String id) {
    return engine.find(id).orElseThrow(() -> Problem.notFound().asException());
  }

  /// The saga, if it stands at this step: a decision about another one would be a mistake.
  private SagaView at(String id, String step) {
    var saga = find(id);
    if (step.equals(step(saga.progress()))) return saga;
    throw Problem.of(
            409, "transition_not_allowed", "The saga is not at that step; look at it again.")
        .asException();
  }

  private ResponseEntity<?> rule(String id, Caller caller, Ruling ruling)
      throws InterruptedException {
    var name = engine.rulingName();
    var action = "saga." + ruling.kind().name().toLowerCase(Locale.ROOT);
    tables.write(
        action + " " + id,
        session -> {
          audit.append(session, caller.did(action, id).because(ruling.reason()));
          return stores.say(session, id, ruling.asSignal(name), clock.instant());
        });
    engine.told(id);
    var verdict = engine.verdict(name, DECIDED_WITHIN).orElse("");
    if (verdict.startsWith("refused")) {
      throw Problem.of(409, "transition_not_allowed", sentence(verdict)).asException();
    }
    var answer = shown(id);
    return verdict.isEmpty() ? ResponseEntity.accepted().body(answer) : ResponseEntity.ok(answer);
  }

  private static String sentence(String verdict) {
    return "It was " + verdict + ".";
  }
}
