package dev.tuntas.testkit.simulation;

import dev.tuntas.saga.SagaDefinition;
import java.time.Duration;

/// The times of a definition, in milliseconds: what goes wrong must last about as long as the saga
/// waits, or its patience is never tried.
///
/// @param call the longest timeout of a call
/// @param doubt how long the most patient step waits, as far as there is time to try that
/// @param whole how long a saga may wait if it uses up the patience of every step
record Times(long call, long doubt, long whole) {

  /// Patience beyond this is not tried: a saga that asks once a minute would ask too often.
  private static final long DOUBT_MAX = Duration.ofMinutes(35).toMillis();

  /// Most faults are over soon, whatever the definition.
  private static final long USUAL = 40_000;

  private static final double MOST = 0.75;

  static Times of(SagaDefinition<?> saga) {
    long call = 0;
    long doubt = saga.deadline() == null ? 0 : saga.deadline().toMillis();
    long whole = doubt;
    for (var step : saga.steps()) {
      call = Math.max(call, Math.max(step.timeout().toMillis(), step.undoTimeout().toMillis()));
      long patience = step.giveUp().after().toMillis();
      if (step.deadline() != null) patience = Math.max(patience, step.deadline().toMillis());
      if (patience <= DOUBT_MAX) doubt = Math.max(doubt, patience);
      whole += patience;
    }
    return new Times(call, Math.min(doubt, DOUBT_MAX), whole);
  }

  /// How long faults last: mostly a few calls long, sometimes for longer than the saga's patience.
  ///
  /// @param share a drawn number from 0 to 1
  long window(double share) {
    long usual = Math.max(USUAL, 4 * call);
    if (share < MOST) return 5_000 + (long) (share / MOST * usual);
    return usual + (long) ((share - MOST) / (1 - MOST) * (2 * doubt + 3 * call));
  }
}
