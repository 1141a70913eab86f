package dev.tuntas.server.support;

import dev.tuntas.notify.DeadDeliveries.Fate;
import dev.tuntas.server.access.Caller;
import dev.tuntas.server.http.Cursors;
import dev.tuntas.server.http.Fields;
import dev.tuntas.server.http.JsonBody;
import dev.tuntas.server.http.ListQuery;
import dev.tuntas.server.http.Page;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.settings.Here;
import dev.tuntas.server.support.DeadLetterQueue.DeadLetter;
import dev.tuntas.server.support.DeadLetterQueue.Wish;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import org.springframework.context.annotation.Conditional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Shows what was given up on, and lets people put it back or drop it, one or many.
@RestController
@Conditional(Here.Web.class)
@RequestMapping("/api/v1/admin/dead-letters")
class DeadLettersController {

  private static final int REASON_MAX = 500;

  private final DeadLetters letters;
  private final Cursors cursors;

  DeadLettersController(DeadLetters letters, Cursors cursors) {
    this.letters = letters;
    this.cursors = cursors;
  }

  @GetMapping
  Page<DeadLetter> list(HttpServletRequest request) {
    var query = ListQuery.of(request, cursors, "queue", "order_id");
    var filter =
        new DeadLetters.Filter(
            query.filter("queue").orElse(null), query.filter("order_id").orElse(null));
    requireQueue(filter);
    var found = letters.after(query.position().orElse(""), filter, query.limit() + 1);
    return query.page(found, DeadLetters::position, letter -> letter);
  }

  @PostMapping("/{id}/replay")
  Map<String, Object> replay(@PathVariable String id, Caller caller, HttpServletRequest request) {
    var fields = JsonBody.readOrEmpty(request).fields();
    var reason = fields.optionalText("reason", REASON_MAX).orElse("replayed by hand");
    fields.finish();
    return answer(id, "replayed", letters.replay(id, new Wish(caller, reason)));
  }

  @PostMapping("/{id}/discard")
  Map<String, Object> discard(@PathVariable String id, Caller caller, JsonBody body) {
    var fields = body.fields();
    var reason = fields.optionalText("reason", REASON_MAX).orElse("");
    fields.finish();
    return answer(id, "discarded", letters.discard(id, new Wish(caller, required(reason))));
  }

  private static Map<String, Object> answer(String id, String done, Fate fate) {
    return switch (fate) {
      case DONE -> Map.of("id", id, "result", done);
      case ALREADY -> Map.of("id", id, "result", "nothing_to_do");
      case NOT_POSSIBLE ->
          throw Problem.of(
                  409, "dead_letter_state", "This is being tried, or was dropped; look again.")
              .asException();
      case UNKNOWN -> throw Problem.notFound().asException();
    };
  }

  @PostMapping("/replay")
  ResponseEntity<?> replayMany(Caller caller, JsonBody body) {
    var many = Many.read(body.fields(), letters);
    letters.replayAll(many.found, new Wish(caller, many.reason));
    return ResponseEntity.accepted().body(Map.of("count", many.found.size()));
  }

  @PostMapping("/discard")
  ResponseEntity<?> discardMany(Caller caller, JsonBody body) {
    var many = Many.read(body.fields(), letters);
    letters.discardAll(many.found, new Wish(caller, many.reason));
    return ResponseEntity.accepted().body(Map.of("count", many.found.size()));
  }

  /// What is meant must be what is there: the client says how many it has seen.
  private record Many(List<DeadLetter> found, String reason) {

    static Many read(Fields fields, DeadLetters letters) {
      var wanted = fields.optionalObject("filter");
      var queue = wanted.flatMap(it -> it.optionalId("queue")).orElse(null);
      var order = wanted.flatMap(it -> it.optionalId("order_id")).orElse(null);
      long expected = fields.wholeNumber("expected_count", 0, DeadLetters.MANY_MAX);
      var reason = fields.optionalText("reason", REASON_MAX).orElse("");
      fields.finish();
      var filter = new DeadLetters.Filter(queue, order);
      requireQueue(filter);
      var found = letters.all(filter);
      if (found.size() != expected) {
        throw Problem.of(
                409,
                "dead_letter_count",
                "There are " + found.size() + " of these now; look again before you decide.")
            .with("count", found.size())
            .asException();
      }
      return new Many(found, required(reason));
    }
  }

  private static void requireQueue(DeadLetters.Filter filter) {
    if (filter.queue() != null && !DeadLetters.QUEUES.contains(filter.queue())) {
      throw ListQuery.invalid("The queues are " + String.join(", ", DeadLetters.QUEUES) + ".");
    }
  }

  private static String required(String reason) {
    if (!reason.isBlank()) return reason;
    throw Problem.at(422, "/reason", "reason_required", "Say why, for those who look later.")
        .asException();
  }
}
