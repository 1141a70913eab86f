package dev.tuntas.areas;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Shows how many wait where, for those who only look. It lags, may be wrong, and may show nothing
/// at all: no order is decided by it. Nobody waits for it longer than a moment, and it never
/// throws.
public interface WaitingMirror {

  WaitingMirror NONE =
      new WaitingMirror() {
        @Override
        public Optional<Seen> look(AreaService where) {
          return Optional.empty();
        }

        @Override
        public void joined(String orderId, AreaService where, Instant expiresAt) {}

        @Override
        public void left(String orderId, AreaService where) {}
      };

  /// What it shows.
  ///
  /// @param reachedAt the last moment at which so many waited that the area was full
  record Seen(long waiting, @Nullable Instant reachedAt) {}

  /// Nothing if what it shows cannot be used.
  Optional<Seen> look(AreaService where);

  /// An order waits. To be told after the commit that took its slot.
  ///
  /// @param expiresAt when its life ends; nobody leaves by it
  void joined(String orderId, AreaService where, Instant expiresAt);

  /// An order waits no longer. To be told after the commit that gave back its slot.
  void left(String orderId, AreaService where);
}
