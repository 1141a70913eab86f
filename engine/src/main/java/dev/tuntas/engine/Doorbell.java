package dev.tuntas.engine;

import java.util.List;

/// Tells the processes that run sagas that there is something to do, so that they need not wait for
/// their next look at the store. It is a hint: what gets lost, or comes twice, changes nothing but
/// a moment's wait. It must not wait for anything itself.
@FunctionalInterface
public interface Doorbell {

  Doorbell NONE = (_, _) -> {};

  /// What happened to the sagas.
  enum Reason {
    /// They are new, and durable.
    PLACED,
    /// Their inbox holds something.
    TOLD
  }

  void ring(Reason reason, List<String> sagaIds);
}
