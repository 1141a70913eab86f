package dev.tuntas.testkit.simulation;

/// A kind of thing that goes wrong.
enum Fault {
  /// A request never arrives.
  REQUEST_LOST(0.25),
  /// A request arrives and its reply does not.
  REPLY_LOST(0.25),
  /// A call takes about as long as its timeout, or longer.
  SLOW(0.15),
  /// A request arrives twice.
  DUPLICATED(0.15),
  /// A call throws something that nobody planned for, with or without effect.
  SURPRISE(0.1),
  /// A partner refuses the connection.
  UNAVAILABLE(0.25),
  /// A partner is away for a while, perhaps for longer than a saga waits for it.
  OUTAGE(0.9),
  /// A transaction certainly did not happen.
  STORE_REFUSED(0.1),
  /// The reply to a transaction is lost; it may have happened.
  STORE_UNKNOWN(0.1),
  /// No connection to the store is to be had for a while.
  STORE_STARVED(0.5),
  /// Everything takes the store long for a while, beats included.
  STORE_SLOW(0.8),
  /// The store can be read and not written for a while.
  STORE_READ_ONLY(0.5),
  /// The store has no room for most of what is to be written for a while.
  STORE_FULL(0.5),
  /// Much is written for a while, and the answer comes too late.
  STORE_LATE(0.5),
  /// Somebody else keeps some of the rows locked for a while.
  ROWS_LOCKED(0.8),
  /// The store's clock is set back or forward by up to an hour.
  CLOCK_SET(0.5),
  /// A process dies at a boundary: before or after a write or a call.
  CRASH(0.02),
  /// A process stands still for a while, at a random moment.
  PAUSE(0.5),
  /// A notice is not published, or published without knowing.
  PUBLISH_FAILS(0.3),
  /// A client cancels.
  CANCELS(0.4),
  /// An operator interferes.
  RULES(0.3),
  /// A callback is lost.
  SIGNAL_LOST(0.9),
  /// A callback comes twice, or late.
  SIGNAL_REPEATED(0.4);

  /// How probable it is at most, each time that it could happen.
  final double most;

  Fault(double most) {
    this.most = most;
  }
}
