package dev.tuntas.areas;

import java.time.Instant;

/// What has to hold when a slot is taken.
///
/// @param threshold from how many on the area is full
/// @param waitingBelow how many must wait at most, for this customer
/// @param fullBefore when the area must have been full last, at the latest
/// @param enforced otherwise the slot is taken all the same, and it is noted that it would not have
///   been
public record SlotLimit(long threshold, long waitingBelow, Instant fullBefore, boolean enforced) {

  /// Later than anything that is compared with it.
  static final Instant NEVER_MIND = Instant.ofEpochMilli(Long.MAX_VALUE / 2);

  static SlotLimit none(long threshold) {
    return new SlotLimit(threshold, Long.MAX_VALUE, NEVER_MIND, true);
  }

  SlotLimit shadow() {
    return new SlotLimit(threshold, waitingBelow, fullBefore, false);
  }
}
