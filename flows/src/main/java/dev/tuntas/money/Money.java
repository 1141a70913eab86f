package dev.tuntas.money;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// An amount in minor units of its currency, as commerce uses them: IDR, VND and JPY have none.
public record Money(long amount, String currency) {

  /// More than any order is worth, and far from where sums overflow.
  public static final long AMOUNT_MAX = 1_000_000_000_000L;

  private record Unit(int decimals, String sign) {}

  private static final Map<String, Unit> UNITS =
      Map.ofEntries(
          Map.entry("IDR", new Unit(0, "Rp ")),
          Map.entry("VND", new Unit(0, "₫")),
          Map.entry("JPY", new Unit(0, "¥")),
          Map.entry("KRW", new Unit(0, "₩")),
          Map.entry("USD", new Unit(2, "$")),
          Map.entry("EUR", new Unit(2, "€")),
          Map.entry("GBP", new Unit(2, "£")),
          Map.entry("SGD", new Unit(2, "S$")),
          Map.entry("MYR", new Unit(2, "RM ")),
          Map.entry("THB", new Unit(2, "฿")),
          Map.entry("PHP", new Unit(2, "₱")),
          Map.entry("INR", new Unit(2, "₹")),
          Map.entry("AUD", new Unit(2, "A$")),
          Map.entry("CHF", new Unit(2, "CHF ")));

  public Money {
    if (!UNITS.containsKey(currency)) {
      throw new IllegalArgumentException("there is no currency '" + currency + "'");
    }
    if (amount < 0 || amount > AMOUNT_MAX) {
      throw new IllegalArgumentException("an amount is between 0 and " + AMOUNT_MAX);
    }
  }

  /// Whether this is a currency that Tuntas knows.
  public static boolean isCurrency(String code) {
    return UNITS.containsKey(code);
  }

  public static Money zero(String currency) {
    return new Money(0, currency);
  }

  /// The sum, or nothing if it would be too large. Both must be of one currency.
  public Optional<Money> plus(Money other) {
    requireSame(other);
    long sum = amount + other.amount;
    return sum > AMOUNT_MAX ? Optional.empty() : Optional.of(new Money(sum, currency));
  }

  /// So many times this, or nothing if it would be too large.
  public Optional<Money> times(long count) {
    if (count < 0) throw new IllegalArgumentException("a count is not negative");
    if (amount != 0 && count > AMOUNT_MAX / amount) return Optional.empty();
    return Optional.of(new Money(amount * count, currency));
  }

  private void requireSame(Money other) {
    if (!other.currency.equals(currency)) {
      throw new IllegalArgumentException(currency + " and " + other.currency + " do not add up");
    }
  }

  /// For people: "Rp 150,000", "$25.00".
  public String text() {
    var unit = UNITS.get(currency);
    if (unit == null) throw new IllegalStateException(currency);
    double major = amount / Math.pow(10, unit.decimals);
    return unit.sign + String.format(Locale.ROOT, "%,." + unit.decimals + "f", major);
  }
}
