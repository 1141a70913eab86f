package dev.tuntas.bus;

import org.jspecify.annotations.Nullable;

/// The broker did not answer, or not well. What was sent may have arrived.
public final class BusAwayException extends Exception {

  private static final long serialVersionUID = 1L;

  public BusAwayException(String attempted, @Nullable Throwable cause) {
    super(attempted, cause);
  }
}
