package dev.tuntas.bench.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// An errand and every answer that its customer got, in the order in which they came.
public final class Story {

  private final Errand errand;
  private final List<Told> told = new ArrayList<>();

  Story(Errand errand) {
    this.errand = errand;
  }

  public Errand errand() {
    return errand;
  }

  synchronized void add(Told answer) {
    told.add(answer);
  }

  public synchronized List<Told> told() {
    return List.copyOf(told);
  }

  /// The order that it became, if the customer was told.
  public synchronized Optional<String> orderId() {
    return told.stream().flatMap(answer -> answer.orderId().stream()).findFirst();
  }

  boolean isAcknowledged() {
    return orderId().isPresent();
  }
}
