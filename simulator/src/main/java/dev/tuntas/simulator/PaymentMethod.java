package dev.tuntas.simulator;

import java.util.Locale;
import java.util.Optional;

/// The ways to pay at the simulated bank, each with a story of its own.
enum PaymentMethod {
  PM_OK,
  /// A clear no.
  PM_DECLINED,
  /// Takes three seconds.
  PM_SLOW,
  /// Charged, but the answer never arrives; asked again with the same key it tells.
  PM_LOST_REPLY,
  /// Answers 503 three times for each key, then charges.
  PM_UNAVAILABLE,
  /// Answers 503 for ever.
  PM_NEVER,
  /// Somebody else took the money: not for customers.
  OUTSIDE;

  static Optional<PaymentMethod> named(String name) {
    for (var method : values()) {
      if (method.name().toLowerCase(Locale.ROOT).equals(name)) return Optional.of(method);
    }
    return Optional.empty();
  }
}
