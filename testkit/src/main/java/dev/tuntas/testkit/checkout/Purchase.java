package dev.tuntas.testkit.checkout;

/// What a customer buys. `receipt` is filled in by the payment.
public record Purchase(int number, long minorUnits, int quantity, String receipt) {

  Purchase paidWith(String by) {
    return new Purchase(number, minorUnits, quantity, by);
  }
}
