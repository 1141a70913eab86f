package dev.tuntas.testkit.checkout;

/// What a customer buys. `receipt` is filled in by the payment.
public record Purchase(int number, long minorUnits, int quantity, String receipt) {

  static Purchase of(int number) {
    return new Purchase(number, priceOf(number), 1 + number % 3, "");
  }

  static long priceOf(int number) {
    return 1_000 + number;
  }

  Purchase paidWith(String by) {
    return new Purchase(number, minorUnits, quantity, by);
  }
}
