package dev.tuntas.engine;

/// Where notices go. Returning means that the other side has it; throwing means that it may not.
@FunctionalInterface
public interface Publisher {
  void publish(Outbox.Entry notice) throws Exception;
}
