package dev.tuntas.server.support;

import dev.tuntas.server.access.Caller;
import dev.tuntas.server.http.Cursors;
import dev.tuntas.server.http.IdempotencyKey;
import dev.tuntas.server.http.JsonBody;
import dev.tuntas.server.http.ListQuery;
import dev.tuntas.server.http.Page;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.settings.Here;
import dev.tuntas.store.Tables;
import dev.tuntas.support.Refunds;
import dev.tuntas.support.Resolution;
import dev.tuntas.support.Ticket;
import dev.tuntas.support.TicketType;
import dev.tuntas.support.TicketWork;
import dev.tuntas.support.TicketWork.Deed;
import dev.tuntas.support.Tickets;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Conditional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Shows tickets, and lets people work on them. `If-Match` keeps one from acting on what has
/// changed since.
@RestController
@Conditional(Here.Web.class)
@RequestMapping("/api/v1/support/tickets")
class TicketsController {

  private final Tables tables;
  private final Tickets tickets = new Tickets();
  private final TicketWork work;
  private final Refunds refunds;
  private final Cursors cursors;

  TicketsController(
      @Qualifier("supportTables") Tables tables,
      TicketWork work,
      Refunds refunds,
      Cursors cursors) {
    this.tables = tables;
    this.work = work;
    this.refunds = refunds;
    this.cursors = cursors;
  }

  @GetMapping
  Page<Map<String, @Nullable Object>> list(HttpServletRequest request) {
    var query = ListQuery.of(request, cursors, "status", "type", "order_id");
    var filter =
        new Tickets.Filter(
            query.filter("status", Ticket.Status.class).orElse(null),
            query.filter("type", TicketType.class).orElse(null),
            query.filter("order_id").orElse(null));
    long before = query.positionNumber().orElse(Long.MAX_VALUE);
    var found =
        tables.read(
            "list tickets", session -> tickets.list(session, filter, before, query.limit() + 1));
    return query.page(found, ticket -> Long.toString(ticket.no()), TicketJson::of);
  }

  @GetMapping("/{id}")
  ResponseEntity<?> show(@PathVariable String id) {
    var ticket =
        tables
            .read("read a ticket", session -> tickets.find(session, id))
            .orElseThrow(() -> Problem.notFound().asException());
    return shown(200, ticket);
  }

  @PostMapping("/{id}/verify")
  ResponseEntity<?> verify(@PathVariable String id, Caller caller, HttpServletRequest request) {
    JsonBody.readOrEmpty(request).fields().finish();
    return shown(200, Refusals.done(work.verify(deed(id, caller, request))).value());
  }

  /// The text is called `note`, as in a resolution, or `text`.
  @PostMapping("/{id}/notes")
  ResponseEntity<?> note(
      @PathVariable String id, JsonBody body, Caller caller, HttpServletRequest request) {
    var fields = body.fields();
    var name = fields.has("text") ? "text" : "note";
    var text = fields.text(name, JsonBody.BYTES_MAX);
    fields.finish();
    return shown(201, Refusals.done(work.note(deed(id, caller, request), text)).value());
  }

  /// Without an amount, all that is left is given back.
  @PostMapping("/{id}/refund")
  ResponseEntity<?> refund(@PathVariable String id, Caller caller, HttpServletRequest request) {
    var click = IdempotencyKey.required(request);
    var amount = RefundAmount.read(JsonBody.readOrEmpty(request).fields());
    var wish =
        new Refunds.Wish(
            caller.client(), id, amount.minorUnits(), amount.currency(), click, seen(request));
    var done = Refusals.done(refunds.request(wish));
    var answer = ResponseEntity.status(202);
    if (done.repeated()) answer.header("Idempotency-Replayed", "true");
    return answer.body(TicketJson.of(done.value()));
  }

  @PostMapping("/{id}/resolve")
  ResponseEntity<?> resolve(
      @PathVariable String id, JsonBody body, Caller caller, HttpServletRequest request) {
    var fields = body.fields();
    var word = fields.text("resolution", 100);
    var note = fields.optionalText("note", JsonBody.BYTES_MAX).orElse(null);
    var resolution = Resolution.chosen(word).orElse(null);
    if (resolution == null && !word.isEmpty()) {
      fields.refuse(
          "resolution",
          "out_of_range",
          "It must be one of happened, did_not_happen, refunded, no_action.");
    }
    fields.finish();
    if (resolution == null) throw new IllegalStateException("a resolution that was not refused");
    var deed = deed(id, caller, request);
    return shown(200, Refusals.done(work.resolve(deed, resolution, note)).value());
  }

  private static Deed deed(String id, Caller caller, HttpServletRequest request) {
    return new Deed(caller.client(), id, seen(request));
  }

  /// The version that the client has seen. What is not one of ours matches nothing.
  private static @Nullable Long seen(HttpServletRequest request) {
    var given = request.getHeader("If-Match");
    if (given == null || given.strip().equals("*")) return null;
    var tag = given.strip();
    return tag.matches("\"\\d{1,18}\"") ? Long.valueOf(tag.substring(1, tag.length() - 1)) : -1L;
  }

  private static ResponseEntity<?> shown(int status, Ticket ticket) {
    return ResponseEntity.status(status)
        .header("ETag", "\"" + ticket.version() + "\"")
        .header("Cache-Control", "private, no-cache")
        .body(TicketJson.of(ticket));
  }
}
