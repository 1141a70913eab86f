package dev.tuntas.orders;

import java.time.InstantSource;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/// Makes ids that no other order has, and that sort by their time: `ord_`, 48 bits of milliseconds,
/// 80 bits of chance, in digits that nobody mistakes for each other.
public final class OrderIds {

  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final Pattern FORM = Pattern.compile("ord_[0-7][0-9a-hjkmnp-tv-z]{25}");
  private static final String PREFIX = "ord_";
  private static final int TIME_DIGITS = 10;
  private static final int CHANCE_DIGITS = 16;

  private final InstantSource clock;
  private final RandomGenerator random;

  public OrderIds(InstantSource clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  public String next() {
    var id = new StringBuilder(PREFIX.length() + TIME_DIGITS + CHANCE_DIGITS).append(PREFIX);
    append(id, clock.instant().toEpochMilli(), TIME_DIGITS);
    append(id, random.nextLong(), CHANCE_DIGITS / 2);
    append(id, random.nextLong(), CHANCE_DIGITS / 2);
    return id.toString();
  }

  /// Whether a text could be an order's id.
  public static boolean isOne(String text) {
    return FORM.matcher(text).matches();
  }

  private static void append(StringBuilder to, long bits, int digits) {
    for (int i = digits - 1; i >= 0; i--) to.append(DIGITS.charAt((int) (bits >>> (5 * i)) & 31));
  }
}
