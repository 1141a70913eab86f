package dev.tuntas.server.support;

import dev.tuntas.server.http.Problem;
import dev.tuntas.support.Answer;
import dev.tuntas.support.Refusal;

/// The only place where a refusal of the support desk becomes an HTTP status.
final class Refusals {

  private Refusals() {}

  /// What was done, or the end of the request.
  static <T> Answer.Done<T> done(Answer<T> answer) {
    return switch (answer) {
      case Answer.Done<T> done -> done;
      case Answer.Refused<T>(var refusal) -> throw problem(refusal).asException();
    };
  }

  static Problem problem(Refusal refusal) {
    int status =
        switch (refusal.kind()) {
          case NOT_FOUND -> 404;
          case CONFLICT -> 409;
          case CHANGED -> 412;
          case TOO_LONG -> 413;
          case INVALID -> 422;
        };
    return status == 404
        ? Problem.notFound()
        : Problem.of(status, refusal.code(), refusal.message());
  }
}
