package dev.tuntas.simulator.verify;

import java.util.ArrayList;
import java.util.List;

/// What came of checking one invariant.
///
/// @param violations how many there are
/// @param sentences the first of them
public record Finding(String invariant, String promise, long violations, List<String> sentences) {

  private static final int SENTENCES_MAX = 20;

  public Finding {
    sentences = List.copyOf(sentences);
  }

  public boolean holds() {
    return violations == 0;
  }

  /// Counts violations and keeps the first sentences.
  static final class Tally {
    private final String invariant;
    private final String promise;
    private final List<String> sentences = new ArrayList<>();
    private long violations;

    Tally(String invariant, String promise) {
      this.invariant = invariant;
      this.promise = promise;
    }

    void add(String sentence) {
      violations++;
      if (sentences.size() < SENTENCES_MAX) sentences.add(sentence);
    }

    void require(boolean holds, String order, String otherwise) {
      if (!holds) add(order + " " + otherwise + ".");
    }

    Finding finding() {
      return new Finding(invariant, promise, violations, sentences);
    }
  }
}
