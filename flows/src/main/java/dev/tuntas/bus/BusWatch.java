package dev.tuntas.bus;

/// Whoever counts what goes over the bus.
public interface BusWatch {

  BusWatch NONE = new BusWatch() {};

  /// What became of one attempt to take a message.
  enum Result {
    HANDLED,
    /// It will be tried again.
    FAILED,
    /// It is a dead letter.
    DEAD
  }

  /// Who knew that a message had come before.
  enum Layer {
    REDIS,
    DATABASE
  }

  default void published(int messages) {}

  default void consumed(Result result) {}

  default void duplicate(Layer layer) {}

  /// How many topics the broker does not have and does not let us make.
  default void missing(int topics) {}

  /// Messages that were not published in time.
  default void expired(int messages) {}
}
