package dev.tuntas.areas;

/// Knows how loyal customers are. It answers soon and always: who is unknown, or cannot be looked
/// up now, has the lowest level.
@FunctionalInterface
public interface LoyaltyBook {

  Loyalty levelOf(String userId);

  /// Knows nobody.
  static LoyaltyBook empty() {
    return _ -> Loyalty.EXPLORER;
  }
}
