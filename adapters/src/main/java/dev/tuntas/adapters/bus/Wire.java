package dev.tuntas.adapters.bus;

import dev.tuntas.bus.BusAwayException;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.Refused;

/// Messages as a broker carries them.
///
/// @param <W> what its client calls one of them
interface Wire<W> {

  /// The message, whoever sent it.
  Message read(W carried) throws Refused;

  /// What it says it is, readable or not.
  String kind(W carried);

  /// Returns when the broker has confirmed it as a dead letter of the queue.
  void bury(W carried, String queue, String reason, int attempts) throws BusAwayException;
}
