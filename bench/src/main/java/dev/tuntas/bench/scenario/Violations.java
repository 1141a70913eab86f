package dev.tuntas.bench.scenario;

import java.util.ArrayList;
import java.util.List;

/// What should not have happened. All of it is counted, and the first of it told.
final class Violations {

  private static final int TOLD_MAX = 20;

  private final List<String> sentences = new ArrayList<>();
  private long count;

  void add(String sentence) {
    count++;
    if (sentences.size() < TOLD_MAX) sentences.add(sentence);
  }

  long count() {
    return count;
  }

  List<String> sentences() {
    return List.copyOf(sentences);
  }
}
