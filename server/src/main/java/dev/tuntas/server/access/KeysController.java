package dev.tuntas.server.access;

import dev.tuntas.server.access.AccessKeys.AccessKey;
import dev.tuntas.server.http.Cursors;
import dev.tuntas.server.http.JsonBody;
import dev.tuntas.server.http.ListQuery;
import dev.tuntas.server.http.Page;
import dev.tuntas.server.http.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Makes, lists and revokes keys.
@RestController
@RequestMapping("/api/v1/admin/keys")
class KeysController {

  private final AccessKeys keys;
  private final KeyRing ring;
  private final Cursors cursors;

  KeysController(AccessKeys keys, KeyRing ring, Cursors cursors) {
    this.keys = keys;
    this.ring = ring;
    this.cursors = cursors;
  }

  /// Answers with the key's text, this once.
  @PostMapping
  ResponseEntity<Map<String, Object>> make(JsonBody body, Caller caller) {
    var fields = body.fields();
    var client = fields.id("client");
    var roles = EnumSet.noneOf(Role.class);
    for (var name : fields.ids("roles", 1, Role.values().length)) {
      Role.named(name)
          .ifPresentOrElse(
              roles::add,
              () ->
                  fields.refuse(
                      "roles",
                      "out_of_range",
                      "The roles are " + Role.join(Set.of(Role.values())) + "."));
    }
    boolean trusted = fields.optionalFlag("trusted").orElse(true);
    fields.finish();
    var made =
        keys.make(client, roles, trusted, caller)
            .orElseThrow(
                () -> Problem.of(409, "too_many_keys", "Revoke some keys first.").asException());
    ring.refresh();
    var answer = shown(made.key());
    answer.put("key", made.text());
    return ResponseEntity.status(201).body(answer);
  }

  @GetMapping
  Page<Map<String, Object>> list(HttpServletRequest request) {
    var query = ListQuery.of(request, cursors);
    var found = keys.newest(query.position(), query.limit() + 1);
    return query.page(found, AccessKey::id, KeysController::shown);
  }

  @DeleteMapping("/{id}")
  ResponseEntity<Void> revoke(@PathVariable String id, Caller caller) {
    switch (keys.revoke(id, caller)) {
      case NOW, BEFORE -> ring.refresh();
      case UNKNOWN -> throw Problem.notFound().asException();
      case LAST_ADMIN ->
          throw Problem.of(409, "last_admin_key", "Without this key nobody could make another.")
              .asException();
    }
    return ResponseEntity.noContent().build();
  }

  private static Map<String, Object> shown(AccessKey key) {
    var shown = new LinkedHashMap<String, Object>();
    shown.put("id", key.id());
    shown.put("client", key.client());
    shown.put("roles", roles(key));
    shown.put("trusted", key.trusted());
    shown.put("hint", key.hint());
    shown.put("created_at", key.createdAt());
    shown.put("created_by", key.createdBy());
    if (key.revokedAt() != null) shown.put("revoked_at", key.revokedAt());
    return shown;
  }

  private static List<String> roles(AccessKey key) {
    return key.roles().stream().sorted().map(Role::text).toList();
  }
}
