package dev.tuntas.bus;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Carries messages between processes: at least once, and those of one kind and key in order.
public interface Bus extends AutoCloseable {

  /// Sends messages in this order, and returns when the broker has confirmed all of them. After a
  /// [BusAwayException] any of them may have arrived, unless it says that nothing was sent; after
  /// an [UnsentException] all but those that it names, and events of the kinds that it names, have.
  void send(List<Message> messages) throws BusAwayException, UnsentException;

  /// Makes what carries messages of these kinds, so that others find it before the first one. What
  /// may not be made is said, and is no failure.
  void prepare(Set<String> kinds) throws BusAwayException;

  /// Hands messages of these kinds to the handler, one after the other. Subscriptions of one queue
  /// share its messages, wherever they are; each queue hears everything from its first subscription
  /// on. Does not wait for a broker that is away.
  Subscription listen(String queue, Set<String> kinds, Handler handler);

  /// The same for hints that may get lost: many at once, and what fails is forgotten.
  Subscription overhear(String queue, Set<String> kinds, Consumer<List<Message>> hearer);

  /// Hands over what handlers of this queue gave up on. What the keeper throws lets it wait at the
  /// broker.
  Subscription collect(String queue, Set<String> kinds, Consumer<DeadMessage> keeper);

  /// Checks that the broker answers.
  void ping() throws BusAwayException;

  /// Ends its subscriptions too.
  @Override
  void close();
}
