package dev.tuntas.bench.chaos;

import java.util.ArrayList;
import java.util.List;

/// What must not be, counted, with the first of them in words.
public final class Violations {

  private static final int SENTENCES_MAX = 20;

  private final List<String> sentences = new ArrayList<>();
  private int count;

  void add(String sentence) {
    count++;
    if (sentences.size() < SENTENCES_MAX) sentences.add(sentence);
  }

  void add(Story story, String invariant, String what) {
    var errand = story.errand();
    add("%s errand %d (key %s): %s".formatted(invariant, errand.no(), errand.key(), what));
  }

  public int count() {
    return count;
  }

  public List<String> sentences() {
    return List.copyOf(sentences);
  }
}
