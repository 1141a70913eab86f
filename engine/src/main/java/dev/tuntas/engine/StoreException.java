package dev.tuntas.engine;

import org.jspecify.annotations.Nullable;

/// The store could not do what was asked. `kind` says what is known about the attempt.
public final class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;
  private static final int CAUSES_MAX = 20;

  public enum Kind {
    /// It may have been committed: the connection was lost, or nobody knows.
    UNKNOWN,
    /// It was certainly not committed and may be repeated: busy, deadlock, disk full, no
    /// connection.
    NOT_DONE,
    /// It was certainly not committed, because something else was in its way for too long: a lock,
    /// or too much to do. Less at a time may get through.
    BLOCKED,
    /// It was certainly not committed, and what was sent is at fault: the same again fails again.
    BAD_DATA,
    /// The database cannot be used: not ours, newer than the program, damaged.
    UNUSABLE
  }

  private final Kind kind;

  public StoreException(Kind kind, String attempted, @Nullable Throwable cause) {
    super(attempted, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }

  /// Whether a store of ours is to blame for a failure, and not what was asked of it.
  public static boolean isBehind(Throwable failure) {
    @Nullable Throwable at = failure;
    for (int i = 0; at != null && i < CAUSES_MAX; i++, at = at.getCause()) {
      if (at instanceof StoreException store) return store.kind != Kind.BAD_DATA;
    }
    return false;
  }
}
