package dev.tuntas.payment;

import dev.tuntas.payment.Payments.Receipt;
import dev.tuntas.saga.Outcome;
import java.util.List;

/// What is to be done about a request once it has been noted.
sealed interface Claim {

  /// Nothing more: this is the answer.
  record Answered(Outcome<Receipt> answer) implements Claim {}

  /// Ask the bank.
  record Ask(Entry entry) implements Claim {}

  /// Ask the bank about these refunds of the order first, and then claim again.
  record Settle(List<Entry> doubts) implements Claim {}

  static Claim done(Entry entry) {
    return new Answered(entry.answer());
  }

  static Claim declined(String code, String detail) {
    return new Answered(Outcome.declined(code, detail));
  }

  static Claim keyReused(Entry known) {
    return declined(
        "idempotency_key_reused",
        "The key '" + known.key() + "' was used for another request of the same kind.");
  }
}
