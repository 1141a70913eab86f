package dev.tuntas.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/// Numbers as people read them: three digits that matter.
public final class Figures {

  private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);

  private Figures() {}

  public static String plain(double value) {
    if (Double.isNaN(value)) return "-";
    if (Math.abs(value) >= 1_000) return String.format(Locale.ROOT, "%,d", Math.round(value));
    return rounded(value).toPlainString();
  }

  public static BigDecimal rounded(double value) {
    if (Math.abs(value) >= 1_000) return BigDecimal.valueOf(Math.round(value));
    var three = new BigDecimal(value, THREE_DIGITS).stripTrailingZeros();
    return three.scale() < 0 ? three.setScale(0) : three;
  }
}
