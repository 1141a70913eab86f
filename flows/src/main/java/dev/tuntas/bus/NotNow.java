package dev.tuntas.bus;

import org.jspecify.annotations.Nullable;

/// Says that a handler cannot work now, whatever the message: it waits, and nothing is held against
/// it.
public final class NotNow extends Exception {

  private static final long serialVersionUID = 1L;

  public NotNow(String reason, @Nullable Throwable cause) {
    super(reason, cause);
  }
}
