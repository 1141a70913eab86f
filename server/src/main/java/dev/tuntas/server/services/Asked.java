package dev.tuntas.server.services;

import dev.tuntas.server.http.Fields;
import dev.tuntas.server.http.IdempotencyKey;
import dev.tuntas.server.http.JsonBody;
import dev.tuntas.server.http.ListQuery;
import dev.tuntas.server.http.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// A request to a service: its fields, and the key that may be the header or a field of the body.
record Asked(HttpServletRequest request, Fields fields) {

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,63}");
  private static final int KEY_MAX = 255;

  static Asked of(HttpServletRequest request) {
    refuseOthers(request, Set.of());
    return new Asked(request, JsonBody.read(request).fields());
  }

  /// Of one that names its booking in the address and may have no body.
  static Asked aboutBooking(HttpServletRequest request) {
    refuseOthers(request, Set.of("bookingId"));
    return new Asked(request, JsonBody.readOrEmpty(request).fields());
  }

  private static void refuseOthers(HttpServletRequest request, Set<String> known) {
    if (!known.containsAll(ListQuery.parameters(request).keySet())) {
      throw ListQuery.invalid("There is a parameter that nobody knows here.");
    }
  }

  String booking() {
    var id = ListQuery.parameters(request).get("bookingId");
    if (id == null || !ID.matcher(id).matches()) {
      throw ListQuery.invalid("The parameter bookingId must be the id of a booking.");
    }
    return id;
  }

  String requiredKey() {
    return key().orElseGet(() -> IdempotencyKey.required(request));
  }

  Optional<String> key() {
    var header = IdempotencyKey.optional(request);
    var field = fields.optionalText("idempotency_key", KEY_MAX).map(IdempotencyKey::checked);
    if (header.isPresent() && field.isPresent() && !header.equals(field)) {
      throw Problem.of(
              400,
              "idempotency_key_invalid",
              "The header Idempotency-Key and the field idempotency_key differ.")
          .asException();
    }
    return header.or(() -> field);
  }
}
