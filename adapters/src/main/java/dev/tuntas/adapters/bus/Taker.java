package dev.tuntas.adapters.bus;

import dev.tuntas.bus.Attempts;
import java.util.List;

/// What is done with what a queue hands out.
interface Taker<W> {

  /// Whether each must be done with before the next one is looked at.
  boolean inOrder();

  /// Returns how many of them, from the first on, are done with.
  int take(List<W> carried, Attempts.Rest rest);
}
