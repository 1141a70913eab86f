package dev.tuntas.inventory;

import dev.tuntas.engine.StoreException;
import dev.tuntas.saga.Outcome;
import java.util.function.Supplier;

/// Turns what happened to a transaction into an answer: what is certain, and what is not.
final class Answering {

  private Answering() {}

  static <T> Outcome<T> outcome(Supplier<T> transaction) {
    try {
      return Outcome.done(transaction.get());
    } catch (Refusal refusal) {
      return Outcome.declined(refusal.code(), refusal.detail());
    } catch (StoreException e) {
      return switch (e.kind()) {
        case UNKNOWN ->
            Outcome.unclearHere("The stock's database may have done it: " + e.getMessage());
        case NOT_DONE, BLOCKED ->
            Outcome.unavailableHere("stock_unavailable", "The stock's database did not answer.");
        case BAD_DATA, UNUSABLE -> throw e;
      };
    }
  }
}
