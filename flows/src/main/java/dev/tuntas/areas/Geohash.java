package dev.tuntas.areas;

import org.locationtech.jts.geom.Envelope;

/// Places as texts whose prefixes are boxes around them.
final class Geohash {

  static final int LENGTH_MAX = 12;
  private static final String DIGITS = "0123456789bcdefghjkmnpqrstuvwxyz";
  private static final int BITS = 5;

  private Geohash() {}

  static boolean isPrefix(String text) {
    return !text.isEmpty()
        && text.length() <= LENGTH_MAX
        && text.chars().allMatch(digit -> DIGITS.indexOf(digit) >= 0);
  }

  static String of(Place place, int length) {
    var text = new StringBuilder(length);
    double[] east = {-180, 180};
    double[] north = {-90, 90};
    boolean even = true;
    for (int i = 0; i < length; i++) {
      int digit = 0;
      for (int bit = 0; bit < BITS; bit++) {
        digit =
            digit << 1 | (even ? upper(east, place.longitude()) : upper(north, place.latitude()));
        even = !even;
      }
      text.append(DIGITS.charAt(digit));
    }
    return text.toString();
  }

  /// Halves the range around the value; 1 if it was in the upper half.
  private static int upper(double[] range, double value) {
    double middle = (range[0] + range[1]) / 2;
    int bit = value >= middle ? 1 : 0;
    range[1 - bit] = middle;
    return bit;
  }

  /// All places whose geohash begins so.
  static Envelope box(String prefix) {
    double[] east = {-180, 180};
    double[] north = {-90, 90};
    boolean even = true;
    for (int i = 0; i < prefix.length(); i++) {
      int digit = DIGITS.indexOf(prefix.charAt(i));
      for (int bit = BITS - 1; bit >= 0; bit--) {
        var range = even ? east : north;
        range[1 - (digit >> bit & 1)] = (range[0] + range[1]) / 2;
        even = !even;
      }
    }
    return new Envelope(east[0], east[1], north[0], north[1]);
  }
}
