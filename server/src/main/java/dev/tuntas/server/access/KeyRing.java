package dev.tuntas.server.access;

import dev.tuntas.engine.StoreException;
import dev.tuntas.server.access.AccessKeys.AccessKey;
import dev.tuntas.server.access.AccessKeys.Active;
import dev.tuntas.server.http.Fingerprint;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// All keys that work, in memory: a request costs no look at the database, however wrong its key
/// is. What it knows is never older than half a second, so that a revoked key is refused on every
/// node within one.
public final class KeyRing {

  private record Snapshot(Map<String, AccessKey> byHash, long nanos) {}

  private record Failure(StoreException why, long nanos) {}

  private static final long AGE_MAX = Duration.ofMillis(500).toNanos();

  private final AccessKeys keys;
  private final ReentrantLock reading = new ReentrantLock();
  private final LongSupplier nanoTime;
  private volatile Snapshot snapshot;
  private @Nullable Failure failure;

  public KeyRing(AccessKeys keys, LongSupplier nanoTime) {
    this.keys = keys;
    this.nanoTime = nanoTime;
    this.snapshot = new Snapshot(Map.of(), nanoTime.getAsLong() - 2 * AGE_MAX);
  }

  Optional<AccessKey> find(String text) {
    return Optional.ofNullable(current().get(Fingerprint.sha256(text)));
  }

  /// Forgets what it knows: a key was made or revoked here.
  void refresh() {
    reading.lock();
    try {
      read();
    } finally {
      reading.unlock();
    }
  }

  private Map<String, AccessKey> current() {
    if (isFresh()) return snapshot.byHash;
    reading.lock();
    try {
      if (!isFresh()) {
        refuseIfJustFailed();
        read();
      }
      return snapshot.byHash;
    } finally {
      reading.unlock();
    }
  }

  private boolean isFresh() {
    return nanoTime.getAsLong() - snapshot.nanos < AGE_MAX;
  }

  /// All who waited for a look that failed fail with it: one after the other, each would wait as
  /// long as the first.
  private void refuseIfJustFailed() {
    if (failure != null && nanoTime.getAsLong() - failure.nanos < AGE_MAX) {
      throw new StoreException(failure.why.kind(), "read the keys", failure.why);
    }
  }

  private void read() {
    long before = nanoTime.getAsLong();
    try {
      var byHash = keys.allActive().stream().collect(Collectors.toMap(Active::hash, Active::key));
      snapshot = new Snapshot(byHash, before);
      failure = null;
    } catch (StoreException e) {
      failure = new Failure(e, nanoTime.getAsLong());
      throw e;
    }
  }
}
