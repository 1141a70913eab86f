package dev.tuntas.orders;

/// The data of an order is not what this program can read.
public final class UnreadableOrderException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String sagaId;

  UnreadableOrderException(String sagaId, RuntimeException cause) {
    super("the data of " + sagaId + " cannot be read", cause);
    this.sagaId = sagaId;
  }

  String sagaId() {
    return sagaId;
  }
}
