package dev.tuntas.bench;

import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/// Ids as Tuntas makes them: sortable by time, as UUIDv7 is, and as long as one.
final class OrderIds {

  private static final HexFormat HEX = HexFormat.of();

  private final AtomicLong count = new AtomicLong();

  /// An id never given before.
  String next() {
    long number = count.incrementAndGet();
    return "ord-" + HEX.toHexDigits(number) + HEX.toHexDigits(scatter(number));
  }

  /// The random half.
  private static long scatter(long number) {
    long z = number * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
