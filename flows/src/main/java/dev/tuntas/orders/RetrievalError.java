package dev.tuntas.orders;

import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Why a question for a job id went wrong.
enum RetrievalError {
  /// No answer in time, or one that says nothing: a timeout, a lost connection, a server error.
  UNCLEAR,
  UNAVAILABLE,
  RATE_LIMITED,
  NOT_FOUND,
  UNAUTHORIZED,
  CANCELLED,
  OTHER;

  static List<String> labels() {
    return Arrays.stream(values()).map(RetrievalError::label).toList();
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Nothing for a job id, and for the answer that there is none yet.
  static Optional<RetrievalError> of(Outcome<?> outcome) {
    return switch (outcome) {
      case Outcome.Succeeded<?> _ -> Optional.empty();
      case Outcome.Unclear<?>(_, var doubt) ->
          doubt == Outcome.Doubt.PENDING ? Optional.empty() : Optional.of(UNCLEAR);
      case Outcome.Failed<?>(var failure) -> Optional.of(of(failure));
    };
  }

  private static RetrievalError of(Failure failure) {
    return switch (failure.code()) {
      case "rate_limited" -> RATE_LIMITED;
      case "booking_unknown", "not_found" -> NOT_FOUND;
      case "partner_unauthorized", "service_key_refused" -> UNAUTHORIZED;
      case "booking_cancelled" -> CANCELLED;
      default -> failure instanceof Failure.Unavailable ? UNAVAILABLE : OTHER;
    };
  }
}
