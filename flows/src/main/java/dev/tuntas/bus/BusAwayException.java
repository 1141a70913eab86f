package dev.tuntas.bus;

import org.jspecify.annotations.Nullable;

/// The broker did not answer, or not well. What was sent may have arrived.
public final class BusAwayException extends Exception {

  private static final long serialVersionUID = 1L;

  private final boolean nothingSent;

  public BusAwayException(String attempted, @Nullable Throwable cause) {
    this(attempted, cause, false);
  }

  private BusAwayException(String attempted, @Nullable Throwable cause, boolean nothingSent) {
    super(attempted, cause);
    this.nothingSent = nothingSent;
  }

  /// The broker could not be reached at all, so that certainly nothing went out.
  public static BusAwayException unreached(String attempted, @Nullable Throwable cause) {
    return new BusAwayException(attempted, cause, true);
  }

  /// Whether certainly nothing went out.
  public boolean isNothingSent() {
    return nothingSent;
  }
}
