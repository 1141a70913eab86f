package dev.tuntas.server.http;

import dev.tuntas.server.http.Problem.FieldError;
import java.util.ArrayList;
import java.util.List;

/// What is wrong with the fields of one request, collected so that a client hears of all of it at
/// once.
final class FieldErrors {

  private static final int SHOWN_MAX = 50;
  private static final String UNKNOWN = "unknown_field";

  private final List<FieldError> list = new ArrayList<>();

  void add(String pointer, String code, String message) {
    if (list.size() < SHOWN_MAX) list.add(new FieldError(pointer, code, message));
  }

  void addUnknown(String pointer) {
    list.addFirst(new FieldError(pointer, UNKNOWN, "There is no such field."));
  }

  void throwIfAny() {
    if (list.isEmpty()) return;
    var first = list.getFirst();
    var detail = first.pointer() + ": " + first.message();
    int status = first.code().equals(UNKNOWN) ? 400 : 422;
    throw Problem.of(status, first.code(), detail)
        .withErrors(list.subList(0, Math.min(list.size(), SHOWN_MAX)))
        .asException();
  }
}
