package dev.tuntas.engine;

import java.util.List;

/// Where notices go. Returning means that the other side has it; throwing means that it may not.
@FunctionalInterface
public interface Publisher {

  /// For a store whose notices nobody listens to.
  Publisher NOWHERE = notice -> {};

  void publish(Outbox.Entry notice) throws Exception;

  /// Publishes all of them at once, in this order, if that is cheaper. False, or an exception,
  /// means that they are to be published one by one.
  default boolean publishAll(List<Outbox.Entry> notices) throws Exception {
    return false;
  }
}
