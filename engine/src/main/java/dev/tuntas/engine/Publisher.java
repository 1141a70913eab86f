package dev.tuntas.engine;

/// Where notices go. Returning means that the other side has it; throwing means that it may not.
@FunctionalInterface
public interface Publisher {

  /// For a store whose notices nobody listens to.
  Publisher NOWHERE = notice -> {};

  void publish(Outbox.Entry notice) throws Exception;
}
