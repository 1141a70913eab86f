package dev.tuntas.bench;

import org.jspecify.annotations.Nullable;

/// Something could not be measured; the message says why, to a person.
public final class BenchException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public BenchException(String message) {
    this(message, null);
  }

  public BenchException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
