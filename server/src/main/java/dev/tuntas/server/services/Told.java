package dev.tuntas.server.services;

import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Failure.Unavailable;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Failed;
import dev.tuntas.saga.Outcome.Succeeded;
import dev.tuntas.saga.Outcome.Unclear;
import dev.tuntas.server.http.Problem;
import java.time.Duration;
import java.util.Objects;

/// The answer of a service, as HTTP tells it. What is not certain is a 503: the caller asks again
/// with the same key.
final class Told {

  private static final Duration SOON = Duration.ofSeconds(1);

  private Told() {}

  /// The result, or the end of the request.
  static <T> T orProblem(Outcome<T> outcome) {
    return switch (outcome) {
      case Succeeded<T>(var data) -> data;
      case Failed<T>(var failure) -> throw problem(failure).asException();
      case Unclear<T> _ ->
          throw Problem.of(
                  503,
                  "outcome_unclear",
                  "It may have happened or not. Ask again with the same key.")
              .retryAfter(SOON)
              .asException();
    };
  }

  private static Problem problem(Failure failure) {
    if (failure instanceof Unavailable away) {
      return Problem.of(statusAway(away.code()), away.code(), away.detail())
          .retryAfter(Objects.requireNonNullElse(away.retryAfter(), SOON));
    }
    return Problem.of(status(failure.code()), failure.code(), failure.detail());
  }

  /// That a partner wants to be asked later says for certain that nothing happened.
  private static int statusAway(String code) {
    return switch (code) {
      case "rate_limited", "job_not_assigned", "booking_busy" -> 429;
      default -> 503;
    };
  }

  private static int status(String code) {
    return switch (code) {
      case "booking_unknown" -> 404;
      case "payment_declined" -> 402;
      case "out_of_stock",
          "released",
          "refunded",
          "nothing_held",
          "goods_mixed",
          "stock_in_use",
          "nothing_to_refund",
          "booking_cancelled" ->
          409;
      default -> 422;
    };
  }
}
