package dev.tuntas.bus;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Notes the way of messages about orders in their traces.
public interface BusTrace {

  BusTrace NONE =
      new BusTrace() {
        @Override
        public Optional<String> sending(String kind, String sagaId) {
          return Optional.empty();
        }

        @Override
        public void heard(String kind, String sagaId, @Nullable String trace) {}
      };

  /// A message goes out. Returns the `traceparent` that goes with it, if its order is traced.
  Optional<String> sending(String kind, String sagaId);

  /// It came, with the `traceparent` that went with it.
  void heard(String kind, String sagaId, @Nullable String trace);
}
