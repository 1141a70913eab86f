package dev.tuntas.orders;

import org.jspecify.annotations.Nullable;

/// How to reach the customer of an order. It is kept apart from the order and never logged.
public record Contact(@Nullable String email, @Nullable String phone, @Nullable String locale) {

  /// Masked, so that it can be recognised but not used.
  @Override
  public String toString() {
    return "Contact[***]";
  }
}
