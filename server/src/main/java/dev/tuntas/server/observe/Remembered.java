package dev.tuntas.server.observe;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A value that is looked up at most once in a while, so that meters of one scrape share it.
final class Remembered<T> {

  private final Supplier<T> source;
  private final Duration fresh;
  private final LongSupplier nanos;
  private @Nullable T value;
  private long readAt;

  Remembered(Supplier<T> source, Duration fresh, LongSupplier nanos) {
    this.source = source;
    this.fresh = fresh;
    this.nanos = nanos;
  }

  synchronized T get() {
    long now = nanos.getAsLong();
    var known = value;
    if (known != null && now - readAt < fresh.toNanos()) return known;
    var read = source.get();
    value = read;
    readAt = now;
    return read;
  }
}
