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

  /// This and what came of checking the same invariant elsewhere.
  Finding plus(Finding other) {
    var all = new ArrayList<>(sentences);
    all.addAll(other.sentences);
    return new Finding(
        invariant,
        promise,
        violations + other.violations,
        all.subList(0, Math.min(all.size(), SENTENCES_MAX)));
  }

  /// Counts violations and keeps the first sentences.
  public static final class Tally {
    private final String invariant;
    private final String promise;
    private final List<String> sentences = new ArrayList<>();
    private long violations;

    public Tally(String invariant, String promise) {
      this.invariant = invariant;
      this.promise = promise;
    }

    public void add(String sentence) {
      violations++;
      if (sentences.size() < SENTENCES_MAX) sentences.add(sentence);
    }

    public void require(boolean holds, String order, String otherwise) {
      if (!holds) add(order + " " + otherwise + ".");
    }

    public Finding finding() {
      return new Finding(invariant, promise, violations, sentences);
    }
  }
}
