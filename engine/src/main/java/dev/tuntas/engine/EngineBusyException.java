package dev.tuntas.engine;

/// More is waiting to be written than the engine takes on; nothing was started. Try again a little
/// later.
public final class EngineBusyException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  EngineBusyException(int waiting) {
    super(waiting + " writes are waiting; try again a little later");
  }
}
