package dev.tuntas.server.areas;

import dev.tuntas.areas.Loyalty;
import dev.tuntas.areas.LoyaltyBook;
import dev.tuntas.server.access.Caller;
import org.jspecify.annotations.Nullable;

/// How loyal the customer of a request is: as its key's client says if that is trusted, otherwise
/// as the book of levels says.
public record CustomerLoyalty(LoyaltyBook book) {

  /// @param claimed the level that the request names
  public Loyalty of(Caller caller, @Nullable String userId, @Nullable String claimed) {
    if (caller.trusted()) return Loyalty.of(claimed);
    return userId == null ? Loyalty.EXPLORER : book.levelOf(userId);
  }
}
