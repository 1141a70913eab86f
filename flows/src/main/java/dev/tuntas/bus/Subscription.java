package dev.tuntas.bus;

/// A queue that is being listened to.
public interface Subscription extends AutoCloseable {

  /// Takes no further messages; they wait at the broker, or go to others.
  void pause();

  void resume();

  /// Lets the message at hand be finished, and takes no more.
  @Override
  void close();
}
