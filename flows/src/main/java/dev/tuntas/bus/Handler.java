package dev.tuntas.bus;

/// Takes messages of one queue. When it returns, its work is done for good, and the message is
/// forgotten. A message may come more than once.
@FunctionalInterface
public interface Handler {

  /// What it throws decides about the message: [Refused] makes it a dead letter at once, [NotNow]
  /// lets it wait, and so does a store of ours that could not do something; anything else is tried
  /// again a few times.
  void take(Message message) throws Exception;
}
