package dev.tuntas.bench;

import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/// Ids that look like hashes, as real ones do: neighbours in time are not neighbours in an index.
final class OrderIds {

  private final AtomicLong count = new AtomicLong();

  /// An id never given before.
  String next() {
    return "ord-" + HexFormat.of().toHexDigits(scatter(count.incrementAndGet()));
  }

  /// Different numbers stay different.
  private static long scatter(long number) {
    long z = number * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
