package dev.tuntas.bus;

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/// Hears the doorbell for a process that runs sagas. A ring is forgotten when it was answered;
/// while the process is full it takes none, so that others do.
public final class DoorbellListener implements AutoCloseable {

  public static final String QUEUE = "tuntas-workers";

  private final Predicate<Collection<String>> answer;
  private final BusTrace trace;
  private final Subscription subscription;
  private volatile boolean full;

  /// @param answer looks at these sagas at once, and says whether there was room for them
  public DoorbellListener(Bus bus, Predicate<Collection<String>> answer, BusTrace trace) {
    this.answer = answer;
    this.trace = trace;
    this.subscription = bus.overhear(QUEUE, BusDoorbell.KINDS, this::hear);
  }

  private void hear(List<Message> rings) {
    for (var ring : rings)
      trace.heard(ring.kind(), ring.key(), ring.headers().get(CloudEvent.TRACE));
    full = !answer.test(rings.stream().map(Message::key).distinct().toList());
  }

  /// To be called again and again: pauses while the process is full. Returns whether it is.
  public boolean look() {
    // One reading for both: a ring may come in between.
    boolean isFull = full;
    if (isFull) {
      isFull = !answer.test(List.of());
      full = isFull;
    }
    if (isFull) subscription.pause();
    else subscription.resume();
    return isFull;
  }

  @Override
  public void close() {
    subscription.close();
  }
}
